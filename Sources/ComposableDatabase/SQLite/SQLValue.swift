/// A value as SQLite stores it.
public enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLValue: CustomStringConvertible {
  /// The text that errors show, of at most 60 characters.
  public var description: String {
    switch self {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text.count > 58 ? text.prefix(57) + "…" : text)'"
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
