import HTTP

/// The status line and header fields of an HTTP answer (RFC 9112).
package struct ResponseHead: Equatable, Sendable {
  /// The status code, 100 to 599.
  package var status: Int
  /// The text after the status code; may be empty.
  package var reason: String
  /// The header fields in their order.
  package var headers: [HeaderField]

  /// Reads a head without its closing empty line; nil when it is not HTTP.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)[...]
    for index in lines.indices where lines[index].last == UInt8(ascii: "\r") { lines[index].removeLast() }
    guard let statusLine = lines.popFirst() else { return nil }
    let parts = String(decoding: statusLine, as: UTF8.self).split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), parts[1].utf8.count == 3,
      let status = Int(parts[1]), (100...599).contains(status)
    else { return nil }
    self.status = status
    reason = parts.count > 2 ? parts[2].trimmingWhitespace() : ""
    headers = []
    for line in lines where !line.isEmpty {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let name = String(decoding: line[..<colon], as: UTF8.self)
      // Also refuses folded lines: they start with white space.
      guard name.isHTTPToken else { return nil }
      let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
      headers.append(HeaderField(name, value.trimmingWhitespace()))
    }
  }
}
