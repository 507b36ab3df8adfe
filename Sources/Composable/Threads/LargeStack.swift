internal import Glibc

/// A stack for values that are too large for the one of the current thread.
enum LargeStack {
  private final class Call {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Runs a function on a thread that is made for it, while the caller waits.
  ///
  /// - Parameter room: How much the function may need beyond the usual, in bytes.
  static func run(room: Int, _ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      let call = Call(body)
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_setstacksize(&attributes, 1 << 20 + room)
      var thread = pthread_t()
      let result = pthread_create(
        &thread, &attributes,
        { context in
          if let context { Unmanaged<Call>.fromOpaque(context).takeUnretainedValue().body() }
          return nil
        }, Unmanaged.passUnretained(call).toOpaque())
      precondition(result == 0, "A thread couldn't be started: \(String(cString: strerror(result))).")
      withExtendedLifetime(call) { _ = pthread_join(thread, nil) }
    }
  }
}
