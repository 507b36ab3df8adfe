public import Composable

/// A value that fits a column.
///
/// An enum with raw values needs no more than the conformance: `enum Kind: String, DatabaseValue { … }`.
public protocol DatabaseValue: Sendable, Equatable {
  /// How SQLite stores it.
  static var columnType: ColumnType { get }
  /// Whether it may be null.
  static var isOptional: Bool { get }
  /// The value as it is stored.
  var sqlValue: SQLValue { get }
  /// Reads a stored value; nil where it is something else.
  init?(sqlValue: SQLValue)
}

/// The types of columns that SQLite's strict tables know.
public enum ColumnType: String, Sendable, Hashable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}

extension DatabaseValue {
  /// Not, unless declared.
  public static var isOptional: Bool { false }
}

extension DatabaseValue where Self: FixedWidthInteger {
  /// Whole numbers.
  public static var columnType: ColumnType { .integer }
  /// The value as it is stored; its bits where it is an unsigned one above `Int64.max`.
  public var sqlValue: SQLValue { .integer(Int64(truncatingIfNeeded: self)) }
  /// Reads a stored value; nil where it is something else or too large.
  public init?(sqlValue: SQLValue) {
    guard case .integer(let number) = sqlValue else { return nil }
    if Self.bitWidth == 64 {
      self.init(truncatingIfNeeded: number)
    } else {
      self.init(exactly: number)
    }
  }
}

extension Int: DatabaseValue {}
extension Int64: DatabaseValue {}
extension Int32: DatabaseValue {}
extension UInt32: DatabaseValue {}

extension Double: DatabaseValue {
  /// Numbers with a fraction.
  public static var columnType: ColumnType { .real }
  /// The value as it is stored.
  public var sqlValue: SQLValue { .real(self) }
  /// Reads a stored value; nil where it is no number.
  public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: return nil
    }
  }
}

extension String: DatabaseValue {
  /// Text.
  public static var columnType: ColumnType { .text }
  /// The value as it is stored.
  public var sqlValue: SQLValue { .text(self) }
  /// Reads a stored value; nil where it is no text.
  public init?(sqlValue: SQLValue) {
    guard case .text(let text) = sqlValue else { return nil }
    self = text
  }
}

extension Bool: DatabaseValue {
  /// 0 or 1.
  public static var columnType: ColumnType { .integer }
  /// The value as it is stored.
  public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
  /// Reads a stored value; nil where it is neither 0 nor 1.
  public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }
}

extension Array: DatabaseValue where Element == UInt8 {
  /// Bytes.
  public static var columnType: ColumnType { .blob }
  /// The value as it is stored.
  public var sqlValue: SQLValue { .blob(self) }
  /// Reads a stored value; nil where it isn't bytes.
  public init?(sqlValue: SQLValue) {
    guard case .blob(let bytes) = sqlValue else { return nil }
    self = bytes
  }
}

extension Optional: DatabaseValue where Wrapped: DatabaseValue {
  /// That of the value.
  public static var columnType: ColumnType { Wrapped.columnType }
  /// It may be null.
  public static var isOptional: Bool { true }
  /// The value as it is stored.
  public var sqlValue: SQLValue { self?.sqlValue ?? .null }
  /// Reads a stored value; nil where it is something else.
  public init?(sqlValue: SQLValue) {
    if case .null = sqlValue {
      self = Optional.none
    } else {
      guard let value = Wrapped(sqlValue: sqlValue) else { return nil }
      self = value
    }
  }
}

extension DatabaseValue where Self: RawRepresentable, RawValue: DatabaseValue {
  /// That of the raw value.
  public static var columnType: ColumnType { RawValue.columnType }
  /// The raw value as it is stored.
  public var sqlValue: SQLValue { rawValue.sqlValue }
  /// Reads a stored raw value; nil where no case has it.
  public init?(sqlValue: SQLValue) {
    guard let raw = RawValue(sqlValue: sqlValue) else { return nil }
    self.init(rawValue: raw)
  }
}

extension UniqueID: DatabaseValue {
  /// 16 bytes.
  public static var columnType: ColumnType { .blob }
  /// The bytes, the first ones first, so that they sort like the identifiers.
  public var sqlValue: SQLValue {
    .blob([high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } })
  }
  /// Reads a stored value; nil where it isn't 16 bytes.
  public init?(sqlValue: SQLValue) {
    guard case .blob(let bytes) = sqlValue, bytes.count == 16 else { return nil }
    let words = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    self.init(high: words[0], low: words[1])
  }
}

extension UnixTime: DatabaseValue {
  /// Nanoseconds since 1970.
  public static var columnType: ColumnType { .integer }
  /// The nanoseconds; the nearest that there is for times that 64 bits can't hold (before 1677, after 2262).
  public var sqlValue: SQLValue {
    let (seconds, attoseconds) = sinceEpoch.components
    let (scaled, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowsToo) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return .integer(overflows || overflowsToo ? (seconds < 0 ? .min : .max) : sum)
  }
  /// Reads a stored value; nil where it isn't a whole number.
  public init?(sqlValue: SQLValue) {
    guard case .integer(let nanoseconds) = sqlValue else { return nil }
    self.init(sinceEpoch: .nanoseconds(nanoseconds))
  }
}
