/// Bytes as pairs of hexadecimal digits in lower case.
enum HexadecimalText {
  private static let digits = Array("0123456789abcdef".utf8)

  static func write(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The bytes of a text; nil for one that holds something else.
  static func read(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in text.utf8 {
      guard let digit = digits.firstIndex(of: byte).map({ UInt8($0) }) else { return nil }
      if let first = high { bytes.append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
    return high == nil ? bytes : nil
  }
}
