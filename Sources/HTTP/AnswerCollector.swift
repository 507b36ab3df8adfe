internal import Composable

/// Collects the head and body of an answer, within bounds.
///
/// libcurl holds a pointer to it, so it lives as long as its handle.
final class AnswerCollector {
  /// The most bytes of heads, those of interim answers included.
  static let maximumHeadBytes = 64 << 10

  private(set) var headers: [HTTPClient.Field] = []
  private(set) var body: [UInt8] = []
  /// Whether the head of the final answer has come to its end.
  private(set) var hasHead = false
  /// Set when more came than is taken.
  private(set) var isTooLarge = false
  private let maximumBodyBytes: Int
  private var headBytes = 0
  private var isInterim = false

  init(maximumBodyBytes: Int) { self.maximumBodyBytes = maximumBodyBytes }

  /// Takes a line of a head; false to end the transfer.
  func add(headerLine line: UnsafeRawBufferPointer) -> Bool {
    headBytes += line.count
    guard headBytes <= Self.maximumHeadBytes else {
      isTooLarge = true
      return false
    }
    let text = String(decoding: line, as: UTF8.self)
    guard !text.hasPrefix("HTTP/") else {
      // A status line: what came before belongs to an interim answer.
      headers.removeAll()
      hasHead = false
      isInterim = text.split(separator: " ").dropFirst().first?.hasPrefix("1") == true
      return true
    }
    if text == "\r\n" || text == "\n" { hasHead = !isInterim }
    guard let colon = text.firstIndex(of: ":") else { return true }
    let value = text[text.index(after: colon)...].drop { $0.isWhitespace }
    let end = value.lastIndex { !$0.isWhitespace }.map(value.index(after:)) ?? value.startIndex
    headers.append(HTTPClient.Field(String(text[..<colon]), String(value[..<end])))
    return true
  }

  /// Takes a piece of the body; false to end the transfer.
  func add(body piece: UnsafeRawBufferPointer) -> Bool {
    guard piece.count <= maximumBodyBytes - body.count else {
      isTooLarge = true
      return false
    }
    body.append(contentsOf: piece)
    return true
  }

  /// Empties the body into a buffer, whose memory is used for what comes next.
  func drainBody(into buffer: inout [UInt8]) {
    buffer.removeAll(keepingCapacity: true)
    swap(&buffer, &body)
  }
}
