/// How a shared value is written to a file and read back.
public struct SharedFormat<Value>: Sendable {
  /// Writes a value.
  public let encode: @Sendable (Value) throws -> [UInt8]
  /// Reads a value; throws where the content isn't one.
  public let decode: @Sendable ([UInt8]) throws -> Value

  /// Makes a format from its two directions.
  public init(
    encode: @escaping @Sendable (Value) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Value
  ) {
    self.encode = encode
    self.decode = decode
  }
}

extension SharedFormat where Value == String {
  /// Text in UTF-8.
  public static var text: Self {
    Self(encode: { Array($0.utf8) }) { bytes in
      guard let text = String(validating: bytes, as: UTF8.self) else { throw InvalidText() }
      return text
    }
  }
}

extension SharedFormat where Value == [UInt8] {
  /// The bytes as they are.
  public static var bytes: Self { Self(encode: { $0 }, decode: { $0 }) }
}

private struct InvalidText: Error, CustomStringConvertible {
  let description = "the content isn't valid UTF-8"
}
