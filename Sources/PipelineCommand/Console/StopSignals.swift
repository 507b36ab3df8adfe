import Glibc

/// Turns the signals that ask a program to end into elements of a stream.
///
/// A second signal of the kind ends the program at once, as if it were not handled.
enum StopSignals {
  /// Both are waited for by one thread; every other one has them blocked, so no handler ever runs.
  private static let signals = [SIGINT, SIGTERM]

  private final class Receiver {
    let continuation: AsyncStream<Void>.Continuation
    init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }
  }

  private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    context in
    guard let context else { return nil }
    let receiver = Unmanaged<Receiver>.fromOpaque(context).takeRetainedValue()
    var set = StopSignals.set
    var signal: Int32 = 0
    while sigwait(&set, &signal) != 0 {}
    receiver.continuation.yield()
    while sigwait(&set, &signal) != 0 {}
    Glibc.signal(signal, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(signal)
    return nil
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }

  /// Blocks the signals for this thread and all that it starts; to be called before there are others.
  static func block() {
    var set = set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Starts waiting; nil if the process can have no more threads.
  static func stream() -> AsyncStream<Void>? {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let receiver = Unmanaged.passRetained(Receiver(continuation))
    var thread = pthread_t()
    guard pthread_create(&thread, nil, body, receiver.toOpaque()) == 0 else {
      receiver.release()
      return nil
    }
    pthread_detach(thread)
    return stream
  }
}
