/// A piece of plain data as scripts, configurations and messages know it.
///
/// The model is lossless against JSON: integers within `Int64` stay integers, every other number is a
/// `Double`, `1.0` is not `1`, and a list is never confused with a map. Integers beyond `Int64` arrive as
/// text of their digits. Maps have no order of their own; wherever one is written its keys are sorted by
/// their UTF-8 bytes, so equal values give equal text.
public enum Value: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([Value])
  case map([String: Value])
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Makes `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Makes a list.
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  /// Makes a map; of equal keys the last one counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self = .map(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}

extension Value {
  /// The value under a key of a map, nil for anything else.
  public subscript(key: String) -> Value? {
    if case .map(let members) = self { members[key] } else { nil }
  }

  /// The name of the value's kind as error texts use it: `null`, `a boolean`, `an integer`, `a number`, …
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "an integer"
    case .number: "a number"
    case .text: "a text"
    case .list: "a list"
    case .map: "a map"
    }
  }

  /// A field of a stored row as scripts see it: what `stats.value` gives for a statistic, or null while it warms up.
  package var withStatisticAsValue: Value {
    guard case .map(let members) = self, members["$statistic"] != nil else { return self }
    return members["value"] ?? .null
  }

  /// The text of a text value, nil for anything else.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The value of a number of either kind as a `Double`, nil for anything else.
  public var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}
