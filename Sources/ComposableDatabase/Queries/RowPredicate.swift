/// Which rows are meant: `\.minutes >= 30 && \.name != "rest"`.
///
/// Comparisons follow SQLite: text is compared byte by byte, and a null is less than every value for sorting,
/// but neither above nor below any in a comparison.
public struct RowPredicate<R: Record>: Sendable {
  let sql: String
  let values: [SQLValue]

  init(_ sql: String, _ values: [SQLValue] = []) {
    self.sql = sql
    self.values = values
  }

  /// Rows whose value is one of a list, of at most some 30,000.
  public static func isAny<Value: DatabaseValue>(
    of list: some Sequence<Value>, _ keyPath: KeyPath<R, Value>
  ) -> Self {
    let values = list.map(\.sqlValue)
    let present = values.filter { $0 != .null }
    let marks = present.map { _ in "?" }.joined(separator: ", ")
    let column = R.table.column(keyPath)
    let isPresent = Self("\(column) IN (\(marks))", present)
    // A null is in no list for SQLite.
    return present.count == values.count ? isPresent : isPresent || Self("\(column) IS NULL")
  }

  /// Rows whose text contains another, with regard to case.
  public static func contains(_ text: String, _ keyPath: KeyPath<R, String>) -> Self {
    Self("instr(\(R.table.column(keyPath)), ?) > 0", [.text(text)])
  }

  /// Rows whose text begins with another, with regard to case.
  public static func hasPrefix(_ text: String, _ keyPath: KeyPath<R, String>) -> Self {
    Self("substr(\(R.table.column(keyPath)), 1, length(?)) = ?", [.text(text), .text(text)])
  }

  /// Rows that fulfil both.
  public static func && (a: Self, b: Self) -> Self { Self("(\(a.sql) AND \(b.sql))", a.values + b.values) }
  /// Rows that fulfil one of two.
  public static func || (a: Self, b: Self) -> Self { Self("(\(a.sql) OR \(b.sql))", a.values + b.values) }
  /// Rows that don't fulfil it.
  public static prefix func ! (a: Self) -> Self { Self("(NOT \(a.sql))", a.values) }
}

private func compare<R: Record, Value: DatabaseValue>(
  _ keyPath: KeyPath<R, Value>, _ comparison: String, _ value: Value
) -> RowPredicate<R> {
  RowPredicate("\(R.table.column(keyPath)) \(comparison) ?", [value.sqlValue])
}

/// Rows whose value equals another; null equals null.
public func == <R: Record, Value: DatabaseValue>(
  keyPath: KeyPath<R, Value>, value: Value
) -> RowPredicate<R> { compare(keyPath, "IS", value) }

/// Rows whose value differs from another; null differs from every value.
public func != <R: Record, Value: DatabaseValue>(
  keyPath: KeyPath<R, Value>, value: Value
) -> RowPredicate<R> { compare(keyPath, "IS NOT", value) }

/// Rows whose value is below another.
public func < <R: Record, Value: DatabaseValue>(
  keyPath: KeyPath<R, Value>, value: Value
) -> RowPredicate<R> { compare(keyPath, "<", value) }

/// Rows whose value is below another or equals it.
public func <= <R: Record, Value: DatabaseValue>(
  keyPath: KeyPath<R, Value>, value: Value
) -> RowPredicate<R> { compare(keyPath, "<=", value) }

/// Rows whose value is above another.
public func > <R: Record, Value: DatabaseValue>(
  keyPath: KeyPath<R, Value>, value: Value
) -> RowPredicate<R> { compare(keyPath, ">", value) }

/// Rows whose value is above another or equals it.
public func >= <R: Record, Value: DatabaseValue>(
  keyPath: KeyPath<R, Value>, value: Value
) -> RowPredicate<R> { compare(keyPath, ">=", value) }
