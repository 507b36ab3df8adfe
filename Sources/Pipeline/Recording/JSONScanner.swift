/// Walks the outer parts of a JSON text without building anything: where strings and values begin and end.
///
/// What lies within a skipped value is only looked at as far as needed to find its end.
struct JSONScanner {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// What was not walked yet.
  var remainder: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

  /// Takes a decimal digit, if one comes next.
  mutating func digit() -> Int64? {
    guard position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 else { return nil }
    position += 1
    return Int64(bytes[position - 1] - 0x30)
  }

  mutating func skipBlanks() {
    while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
  }

  /// Takes one byte, if it comes next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  /// What stands between the quotes of a string, and whether it holds escapes; nil if no whole string comes.
  mutating func string() -> (content: UnsafeRawBufferPointer, isEscaped: Bool)? {
    guard take("\"") else { return nil }
    let start = position
    var isEscaped = false
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        defer { position += 1 }
        return (UnsafeRawBufferPointer(rebasing: bytes[start..<position]), isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        position += 2
      default: position += 1
      }
    }
    return nil
  }

  /// A whole number; nil if none comes, or one beyond `Int64`.
  mutating func integer() -> Int64? {
    guard let number = digits() else { return nil }
    if position < bytes.count, [0x2e, 0x45, 0x65].contains(bytes[position]) { return nil }
    return number
  }

  /// A sign and digits, up to whatever else follows; nil if none come, or a number beyond `Int64`.
  mutating func digits() -> Int64? {
    let isNegative = take("-")
    var number: Int64?
    while let digit = digit() {
      let (product, isOver) = (number ?? 0).multipliedReportingOverflow(by: 10)
      let (sum, isOverToo) = product.addingReportingOverflow(isNegative ? -digit : digit)
      if isOver || isOverToo { return nil }
      number = sum
    }
    return number
  }

  /// The bytes of one value of any kind; nil if none comes, or its end is missing.
  mutating func value() -> UnsafeRawBufferPointer? {
    let start = position
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        guard string() != nil else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
        continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { return nil }
        depth -= 1
        position += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        guard depth > 0 else { return nil }
        position += 1
        continue
      case let byte where Self.isBlank(byte):
        position += 1
        continue
      default:
        while position < bytes.count, !Self.endsScalar(bytes[position]) { position += 1 }
      }
      if depth == 0 { return UnsafeRawBufferPointer(rebasing: bytes[start..<position]) }
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0d) }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "\""):
      true
    default: isBlank(byte)
    }
  }
}
