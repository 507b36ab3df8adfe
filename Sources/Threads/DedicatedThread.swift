internal import Glibc

/// A thread of its own for work that waits in the kernel and so must not take one of Swift's pool.
package enum DedicatedThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    context in
    guard let context else { return nil }
    // Signals that ask the program for something are for the thread that it chose for them.
    var requests = sigset_t()
    sigemptyset(&requests)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD, SIGWINCH] { sigaddset(&requests, signal) }
    pthread_sigmask(SIG_BLOCK, &requests, nil)
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }

  /// Starts a thread that ends with the closure.
  ///
  /// - Parameter stackBytes: the size of its stack, nil for the system's default.
  package static func start(stackBytes: Int? = nil, _ run: @escaping @Sendable () -> Void)
    throws(SystemFailure)
  {
    let body = Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let failure = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer -> Int32 in
      guard let attributes = buffer.baseAddress else { return ENOMEM }
      pthread_attr_init(attributes)
      defer { pthread_attr_destroy(attributes) }
      if let stackBytes { pthread_attr_setstacksize(attributes, stackBytes) }
      return pthread_create(&thread, attributes, main, body.toOpaque())
    }
    guard failure == 0 else {
      body.release()
      throw SystemFailure(number: failure)
    }
    pthread_detach(thread)
  }
}
