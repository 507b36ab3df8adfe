/// Why something was not taken for sending.
package enum SendError: Error, Equatable, CustomStringConvertible {
  /// The connection is not open, or it is closing.
  case notOpen
  /// Too much waits already because the server does not read.
  case backlog(waiting: Int, limit: Int)
  /// Text was not UTF-8.
  case invalidText
  /// A close frame may not carry this code.
  case closeCode(UInt16)
  /// The reason of a close frame takes at most 123 bytes of UTF-8.
  case closeReasonTooLong(Int)
  /// The kernel gave no random bytes for the mask.
  case noRandomness

  package var description: String {
    switch self {
    case .notOpen: "cannot send: the connection is not open"
    case .backlog(let waiting, let limit):
      "cannot send: \(waiting) bytes wait for the server to read them and the limit is \(limit)"
    case .invalidText: "cannot send: expected UTF-8 text, got other bytes (send them as binary)"
    case .closeCode(let code):
      "cannot close with code \(code): expected 1000 to 1003, 1007 to 1014 or 3000 to 4999"
    case .closeReasonTooLong(let count):
      "cannot close: expected a reason of at most 123 bytes, got \(count)"
    case .noRandomness: "cannot send: the kernel gave no random bytes for the frame mask"
    }
  }
}
