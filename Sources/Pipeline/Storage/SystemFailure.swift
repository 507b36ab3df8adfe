import Glibc

/// The number of a failed system call's error.
struct SystemFailure: Error, Hashable {
  var number: Int32

  /// The last failed call's on this thread.
  static var last: SystemFailure { SystemFailure(number: errno) }

  /// The system's words for it.
  var description: String { String(cString: strerror(number)) }
}
