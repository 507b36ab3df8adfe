/// Which rows to fetch, in which order, and how many of them.
///
///     FetchDescriptor<Workout>(where: \.minutes >= 30, sort: [.descending(\.minutes)], limit: 20)
public struct FetchDescriptor<R: Record>: Sendable {
  /// Which rows; all where nil.
  public var predicate: RowPredicate<R>?
  /// The order; rows of equal rank, or all without one, are in the order of their ids where those are whole
  /// numbers, else in that of their adding.
  public var sort: [RowOrder<R>]
  /// How many at most; all where nil.
  public var limit: Int?
  /// How many to leave out at the beginning.
  public var offset: Int

  /// Describes rows to fetch.
  public init(
    where predicate: RowPredicate<R>? = nil, sort: [RowOrder<R>] = [], limit: Int? = nil, offset: Int = 0
  ) {
    precondition(limit ?? 0 >= 0 && offset >= 0, "A limit and an offset can't be negative.")
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.offset = offset
  }

  var condition: String { predicate.map { " WHERE \($0.sql)" } ?? "" }

  var query: (sql: String, values: [SQLValue]) {
    let order = (sort.map(\.sql) + ["rowid"]).joined(separator: ", ")
    return (
      "\(R.table.sql.select)\(condition) ORDER BY \(order) LIMIT ? OFFSET ?",
      (predicate?.values ?? []) + [.integer(Int64(limit ?? -1)), .integer(Int64(offset))]
    )
  }

  /// The number of rows, within limit and offset.
  var count: (sql: String, values: [SQLValue]) {
    (
      "SELECT count(*) FROM (SELECT 1 FROM \(quoted(R.table.name))\(condition) LIMIT ? OFFSET ?)",
      (predicate?.values ?? []) + [.integer(Int64(limit ?? -1)), .integer(Int64(offset))]
    )
  }
}

/// An order of rows by one column.
public struct RowOrder<R: Record>: Sendable {
  let sql: String

  /// The smallest value first.
  public static func ascending<Value: DatabaseValue>(_ keyPath: KeyPath<R, Value>) -> Self {
    Self(sql: R.table.column(keyPath))
  }

  /// The largest value first.
  public static func descending<Value: DatabaseValue>(_ keyPath: KeyPath<R, Value>) -> Self {
    Self(sql: R.table.column(keyPath) + " DESC")
  }
}
