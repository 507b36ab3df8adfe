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
    let continuation: AsyncStream<Void>.Continuation
    let readEnd: Int32

    init(_ continuation: AsyncStream<Void>.Continuation, readEnd: Int32) {
      self.continuation = continuation
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
    guard receiver.next() != 0 else { return nil }
    receiver.continuation.yield()
    let again = receiver.next()
    guard again != 0 else { return nil }
    signal(again, SIG_DFL)
    // To the process: this thread was started by one of the runtime's, which block all signals.
    kill(getpid(), again)
    return nil
  }

  /// Starts listening; nil if the process can have no more descriptors or threads.
  static func stream() -> AsyncStream<Void>? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    writeEnd.store(ends[1], ordering: .relaxed)
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let receiver = Unmanaged.passRetained(Receiver(continuation, readEnd: ends[0]))
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
