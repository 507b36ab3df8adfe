import Glibc

/// Standard output or standard error, written at once and as a whole.
struct Output: Sendable {
  /// Where it goes; stays the caller's.
  let descriptor: Int32

  /// Whether somebody looks at it on a terminal.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Writes text.
  func write(_ text: String) throws(OutputFailure) { try write(Array(text.utf8)) }

  /// Writes bytes, however long the reader takes.
  ///
  /// `SIGPIPE` has to be ignored in the process.
  func write(_ bytes: [UInt8]) throws(OutputFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      let number = errno
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, number == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
      } else if count < 0, number == EPIPE || number == EBADF {
        throw .closed
      } else if !(count < 0 && number == EINTR) {
        throw .failed(String(cString: strerror(count == 0 ? EIO : number)))
      }
    }
  }
}

/// Why output could not be written.
enum OutputFailure: Error, Hashable {
  /// Nobody reads it any more; a program then ends quietly.
  case closed
  /// The system's words for anything else.
  case failed(String)
}
