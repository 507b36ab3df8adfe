public import Composable
internal import FoundationEssentials

extension SharedFormat where Value: Codable & SendableMetatype {
  /// JSON with sorted keys, indented for people and version control.
  public static var json: Self {
    Self(
      encode: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
      },
      decode: { bytes in
        do {
          return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch let error as DecodingError {
          throw InvalidJSON(error)
        }
      })
  }
}

/// What a reader can do something with, of a decoder's error.
private struct InvalidJSON: Error, CustomStringConvertible {
  let description: String

  init(_ error: DecodingError) {
    let (context, problem) =
      switch error {
      case .typeMismatch(let type, let context): (context, "expected \(type)")
      case .valueNotFound(let type, let context): (context, "expected \(type), found null")
      case .keyNotFound(let key, let context): (context, "the key '\(key.stringValue)' is missing")
      case .dataCorrupted(let context): (context, context.debugDescription)
      @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "\(error)")
      }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    description = path.isEmpty ? problem : "\(path.drop { $0 == "." }): \(problem)"
  }
}
