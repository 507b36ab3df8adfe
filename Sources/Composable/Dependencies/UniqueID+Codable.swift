extension UniqueID: Codable {
  /// Makes an identifier from the text of ``description``; throws where it is another text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    let number = digits.count == 32 ? UInt128(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    guard let number, case let id = Self(high: UInt64(number >> 64), low: UInt64(truncatingIfNeeded: number)),
      id.description == text.lowercased()
    else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "expected an identifier such as \(UniqueID(1)), found \(text.debugDescription)")
    }
    self = id
  }

  /// Writes the text of ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
