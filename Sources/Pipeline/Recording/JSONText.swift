/// The escapes of JSON strings (RFC 8259, section 7).
enum JSONText {
  /// Appends what the content of a string stands for; false if an escape is none.
  ///
  /// Half of a surrogate pair alone becomes U+FFFD.
  static func unescape(_ content: UnsafeRawBufferPointer, into bytes: inout [UInt8]) -> Bool {
    var position = 0
    while position < content.count {
      let byte = content[position]
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        position += 1
        continue
      }
      guard position + 1 < content.count else { return false }
      let escape = content[position + 1]
      position += 2
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(escape)
      case UInt8(ascii: "b"): bytes.append(0x08)
      case UInt8(ascii: "f"): bytes.append(0x0c)
      case UInt8(ascii: "n"): bytes.append(0x0a)
      case UInt8(ascii: "r"): bytes.append(0x0d)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "u"):
        guard var unit = hexadecimal(content, at: position) else { return false }
        position += 4
        if (0xd800...0xdbff).contains(unit), position + 1 < content.count,
          content[position] == UInt8(ascii: "\\"), content[position + 1] == UInt8(ascii: "u"),
          let low = hexadecimal(content, at: position + 2), (0xdc00...0xdfff).contains(low)
        {
          unit = 0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00)
          position += 6
        }
        let scalar = Unicode.Scalar(unit) ?? "\u{fffd}"
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      default: return false
      }
    }
    return true
  }

  private static func hexadecimal(_ content: UnsafeRawBufferPointer, at start: Int) -> UInt32? {
    guard start + 4 <= content.count else { return nil }
    var number: UInt32 = 0
    for position in start..<(start + 4) {
      let digit: UInt8
      switch content[position] {
      case let byte where byte >= 0x30 && byte <= 0x39: digit = byte - 0x30
      case let byte where byte >= 0x41 && byte <= 0x46: digit = byte - 0x41 + 10
      case let byte where byte >= 0x61 && byte <= 0x66: digit = byte - 0x61 + 10
      default: return nil
      }
      number = number << 4 | UInt32(digit)
    }
    return number
  }
}
