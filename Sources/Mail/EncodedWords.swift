/// Header texts in ASCII: as they are where they can be, otherwise as encoded words (RFC 2047).
enum EncodedWords {
  /// The most bytes of text in one encoded word: in base64, with its frame and the name of the header before it,
  /// the line stays below 76 characters.
  private static let longestPiece = 36

  /// Encodes a text; control characters become blanks, so that none ends the line.
  static func encode(_ text: String) -> String {
    let line = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }))
    let isPlain = line.utf8.allSatisfy { $0 < 0x80 } && !line.contains("=?")
    guard !isPlain || line.utf8.count > 60 else { return line }
    var words: [String] = []
    var piece: [UInt8] = []
    for scalar in line.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if piece.count + bytes.count > longestPiece {
        words.append(word(piece))
        piece = []
      }
      piece += bytes
    }
    if !piece.isEmpty { words.append(word(piece)) }
    return words.joined(separator: "\r\n ")
  }

  private static func word(_ bytes: [UInt8]) -> String { "=?UTF-8?B?\(base64(bytes))?=" }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= 8 * UInt32(3 - group.count)
      for place in 0..<4 {
        let digit = digits[Int(bits >> UInt32(18 - 6 * place) & 63)]
        text.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
