internal import Glibc

/// The number of a failed system call's error.
package struct SystemFailure: Error, Hashable {
  package var number: Int32

  /// Makes a failure from its number.
  package init(number: Int32) { self.number = number }

  /// The last failed call's on this thread.
  package static var last: SystemFailure { SystemFailure(number: errno) }

  /// The system's words for it.
  package var description: String { String(cString: strerror(number)) }
}
