/// Collects the head of an HTTP answer from bytes as they come, up to 64 KiB.
struct ResponseHeadParser {
  static let maximumBytes = 64 * 1024

  enum Outcome {
    case needMore
    case head(ResponseHead)
    case notHTTP
    case tooLarge
  }

  private var collected: [UInt8] = []
  /// How many line ends stand at the end of `collected`, a carriage return between them aside.
  private var lineEnds = 0

  /// True when some bytes of an answer have come.
  var hasBegun: Bool { !collected.isEmpty }

  /// Takes bytes up to the end of the head and leaves the rest.
  mutating func consume(_ bytes: inout UnsafeRawBufferPointer) -> Outcome {
    var taken = 0
    defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[taken...]) }
    for byte in bytes {
      taken += 1
      guard collected.count < Self.maximumBytes else { return .tooLarge }
      collected.append(byte)
      if byte == UInt8(ascii: "\n") { lineEnds += 1 } else if byte != UInt8(ascii: "\r") { lineEnds = 0 }
      if collected.count <= Self.prefix.count, !Self.prefix.starts(with: collected) { return .notHTTP }
      guard lineEnds == 2 else { continue }
      let head = collected.withUnsafeBytes { ResponseHead($0) }
      // An interim answer (100, 103) may precede; the limit covers all of them together.
      if let head, (100...199).contains(head.status), head.status != 101 {
        interim += collected.count
        guard interim < Self.maximumBytes else { return .tooLarge }
        collected.removeAll(keepingCapacity: true)
        lineEnds = 0
        continue
      }
      return head.map { .head($0) } ?? .notHTTP
    }
    return .needMore
  }

  private var interim = 0
  private static let prefix = Array("HTTP/1.".utf8)
}
