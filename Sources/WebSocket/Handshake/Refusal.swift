/// An answer other than 101, with the first bytes of its body as far as they have come.
struct Refusal {
  /// How much of the body is waited for.
  static let maximumExcerpt = 1024

  let head: ResponseHead
  private let wanted: Int
  private let isChunked: Bool
  private var collected: [UInt8] = []

  init(_ head: ResponseHead) {
    self.head = head
    isChunked = head.headers.members(of: "Transfer-Encoding").contains {
      $0.equalsIgnoringASCIICase("chunked")
    }
    let length = isChunked ? nil : head.headers.value(of: "Content-Length").flatMap(Int.init)
    wanted = min(max(length ?? Self.maximumExcerpt, 0), Self.maximumExcerpt)
  }

  /// True when no more is wanted.
  var isComplete: Bool { collected.count == wanted || isChunked && collected.ends(with: "0\r\n\r\n") }

  /// Takes bytes of the body and leaves the rest.
  mutating func receive(_ bytes: inout UnsafeRawBufferPointer) {
    let taken = min(bytes.count, wanted - collected.count)
    collected += bytes.prefix(taken)
    bytes = UnsafeRawBufferPointer(rebasing: bytes[taken...])
  }

  /// The beginning of the body, without the sizes between its chunks (RFC 9112 section 7.1).
  var excerpt: [UInt8] {
    guard isChunked else { return collected }
    var body: [UInt8] = []
    var rest = collected[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let digits = rest[..<end].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\r") }
      guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size > 0 else { break }
      let chunk = rest[(end + 1)...].prefix(size)
      body += chunk
      // The line end after the chunk.
      rest = rest[chunk.endIndex...].dropFirst(2)
    }
    return body
  }
}

extension [UInt8] {
  fileprivate func ends(with text: StaticString) -> Bool {
    suffix(text.utf8CodeUnitCount).elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
