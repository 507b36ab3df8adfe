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
    guard let base = bytes.baseAddress else { return nil }
    let start = position
    var isEscaped = false
    while position < bytes.count {
      let byte = base.load(fromByteOffset: position, as: UInt8.self)
      position &+= 1
      if byte == UInt8(ascii: "\"") {
        return (UnsafeRawBufferPointer(start: base + start, count: position - 1 - start), isEscaped)
      }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        position &+= 1
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
    let first = position
    var number: Int64 = 0
    while let digit = digit() {
      let (product, isOver) = number.multipliedReportingOverflow(by: 10)
      let (sum, isOverToo) = product.addingReportingOverflow(isNegative ? -digit : digit)
      if isOver || isOverToo { return nil }
      number = sum
    }
    return position > first ? number : nil
  }

  /// The bytes of one value of any kind; nil if none comes, or its end is missing.
  mutating func value() -> UnsafeRawBufferPointer? {
    guard let base = bytes.baseAddress else { return nil }
    let start = position
    var depth = 0
    while position < bytes.count {
      let byte = base.load(fromByteOffset: position, as: UInt8.self)
      if !Self.endsScalar(byte) {
        repeat {
          position &+= 1
        } while position < bytes.count
          && !Self.endsScalar(base.load(fromByteOffset: position, as: UInt8.self))
      } else if byte == UInt8(ascii: "\"") {
        guard string() != nil else { return nil }
      } else {
        position &+= 1
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          depth &+= 1
          continue
        }
        if Self.isBlank(byte) { continue }
        guard depth > 0 else { return nil }
        if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") { continue }
        depth &-= 1
      }
      if depth == 0 { return UnsafeRawBufferPointer(start: base + start, count: position - start) }
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0d) }

  /// Whether a byte is a blank or a mark of JSON, which end a number or a word.
  @inline(__always)
  private static func endsScalar(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? lowMarks : highMarks) >> UInt64(byte & 63) & 1 == 1
  }

  /// One bit for each blank, and for `"`, `,` and `:`.
  private static var lowMarks: UInt64 { 0x1f << 0x09 | 1 << 0x20 | 1 << 0x22 | 1 << 0x2c | 1 << 0x3a }
  /// One bit for `[`, `]`, `{` and `}`, from 64 on.
  private static var highMarks: UInt64 { 1 << 0x1b | 1 << 0x1d | 1 << 0x3b | 1 << 0x3d }
}
