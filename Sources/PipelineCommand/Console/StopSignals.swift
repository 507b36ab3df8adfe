import Glibc
import Synchronization

/// Turns the signals that ask a program to end into elements of a stream.
///
/// A handler writes a byte into a pipe, which is all that a handler may do (signal-safety(7)); it works on
/// whichever thread the signal meets. A second signal of the kind ends the program at once.
enum StopSignals {
  private static let signals = [SIGINT, SIGTERM]
  /// Where the handler writes; -1 before there is anybody to read.
  private static let writeEnd = Atomic<Int32>(-1)

  private static let handler: @convention(c) (Int32) -> Void = { signal in
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(StopSignals.writeEnd.load(ordering: .relaxed), &byte, 1)
    errno = saved
  }

  private final class Receiver {
    let stops: AsyncStream<Void>.Continuation
    /// Where hang-ups go that ask for a reload; nil where these are left alone.
    let reloads: AsyncStream<Void>.Continuation?
    let readEnd: Int32

    init(
      _ stops: AsyncStream<Void>.Continuation, _ reloads: AsyncStream<Void>.Continuation?, readEnd: Int32
    ) {
      self.stops = stops
      self.reloads = reloads
      self.readEnd = readEnd
    }

    /// Waits for the next signal and returns its number, 0 when the pipe can't be read.
    func next() -> Int32 {
      var byte: UInt8 = 0
      while true {
        let count = read(readEnd, &byte, 1)
        if count == 1 { return Int32(byte) }
        if count == 0 || errno != EINTR { return 0 }
      }
    }
  }

  private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    context in
    guard let context else { return nil }
    let receiver = Unmanaged<Receiver>.fromOpaque(context).takeRetainedValue()
    var isStopping = false
    while case let number = receiver.next(), number != 0 {
      if number == SIGHUP {
        // With the terminal the reason to run is gone; of such hang-ups several may come.
        if !StopSignals.lostTerminal {
          receiver.reloads?.yield()
        } else if !isStopping {
          isStopping = true
          receiver.stops.yield()
        }
        continue
      }
      if isStopping {
        signal(number, SIG_DFL)
        // To the process: this thread was started by one of the runtime's, which block all signals.
        kill(getpid(), number)
        return nil
      }
      isStopping = true
      receiver.stops.yield()
    }
    return nil
  }

  /// Whether the program had a terminal of which it was to notice the end; set before the thread starts.
  private static let watchesTerminal = Atomic<Bool>(false)

  /// Whether the terminal that the program was started from has gone.
  private static var lostTerminal: Bool { watchesTerminal.load(ordering: .relaxed) && !hasTerminal }

  private static var hasTerminal: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    if terminal >= 0 { close(terminal) }
    return terminal >= 0
  }

  /// Starts listening for requests to stop; nil if the process can have no more descriptors or threads.
  static func stream() -> AsyncStream<Void>? { listen(reloads: nil) }

  /// Starts listening for requests to stop and, by SIGHUP, to reload; nil as for ``stream()``.
  ///
  /// A hang-up that comes because the terminal was closed asks to stop, unless the program was started to survive
  /// that, as by nohup(1).
  static func streams() -> (stop: AsyncStream<Void>, reload: AsyncStream<Void>)? {
    let (reload, reloads) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    var old = sigaction()
    sigaction(SIGHUP, nil, &old)
    let isIgnored = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
    watchesTerminal.store(!isIgnored && hasTerminal, ordering: .relaxed)
    guard let stop = listen(reloads: reloads) else { return nil }
    signal(SIGHUP, handler)
    return (stop, reload)
  }

  private static func listen(reloads: AsyncStream<Void>.Continuation?) -> AsyncStream<Void>? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    writeEnd.store(ends[1], ordering: .relaxed)
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let receiver = Unmanaged.passRetained(Receiver(continuation, reloads, readEnd: ends[0]))
    var thread = pthread_t()
    guard pthread_create(&thread, nil, body, receiver.toOpaque()) == 0 else {
      receiver.release()
      return nil
    }
    pthread_detach(thread)
    for number in signals { signal(number, handler) }
    return stream
  }
}
