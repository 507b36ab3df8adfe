/// A database within a transaction: what is done to it is done as a whole or not at all.
///
/// Valid only inside the closure it is handed to.
public struct Transaction {
  let connection: Connection

  /// The rows of a descriptor.
  public func fetch<R: Record>(_ descriptor: FetchDescriptor<R>) throws -> [R] {
    var records: [R] = []
    let place = connection.place
    let (sql, values) = descriptor.query
    try connection.run(sql, values, doing: "fetching from \(R.table.name)") { statement in
      records.append(try R(row: Row(statement: statement, place: place)))
    }
    return records
  }

  /// The row of an id; nil where there is none.
  public func fetch<R: Record>(_ type: R.Type, id: R.ID) throws -> R? {
    try fetch(FetchDescriptor<R>(where: R.table.hasID(id))).first
  }

  /// How many rows a descriptor has.
  public func fetchCount<R: Record>(_ descriptor: FetchDescriptor<R>) throws -> Int {
    var count = 0
    let (sql, values) = descriptor.count
    try connection.run(sql, values, doing: "counting in \(R.table.name)") { statement in
      if case .integer(let number) = statement.value(at: 0) { count = Int(number) }
    }
    return count
  }

  /// Adds a record; throws where its id, or a unique value, is there already.
  public func add<R: Record>(_ record: R) throws {
    connection.touch(R.table.name)
    try connection.run(R.table.sql.add, R.table.values(of: record), doing: "adding to \(R.table.name)")
  }

  /// Replaces the record of the same id; throws where there is none.
  public func update<R: Record>(_ record: R) throws {
    connection.touch(R.table.name)
    try connection.run(
      R.table.sql.update, R.table.values(of: record) + [record.id.sqlValue], doing: "updating \(R.table.name)"
    )
    try requireChange(R.self, record.id)
  }

  /// Removes a record by its id; throws where there is none.
  public func delete<R: Record>(_ record: R) throws { try delete(R.self, id: record.id) }

  /// Removes the record of an id; throws where there is none.
  public func delete<R: Record>(_ type: R.Type, id: R.ID) throws {
    connection.touch(R.table.name)
    try connection.run(R.table.sql.deleteByID, [id.sqlValue], doing: "deleting from \(R.table.name)")
    try requireChange(R.self, id)
  }

  /// Removes all rows that fulfil a predicate, all of the table for nil, and returns how many they were.
  @discardableResult
  public func delete<R: Record>(_ type: R.Type, where predicate: RowPredicate<R>?) throws -> Int {
    connection.touch(R.table.name)
    try connection.run(
      R.table.sql.delete + (predicate.map { " WHERE \($0.sql)" } ?? ""), predicate?.values ?? [],
      doing: "deleting from \(R.table.name)")
    return connection.changeCount
  }

  /// Makes the table of a record, with its indexes; for migrations.
  public func createTable<R: Record>(_ type: R.Type) throws {
    try execute(R.table.sql.create)
  }

  /// Runs SQL statements that give no rows; for migrations, and for what the typed calls don't do.
  public func execute(_ sql: String) throws { try connection.execute(sql, doing: "executing SQL") }

  private func requireChange<R: Record>(_ type: R.Type, _ id: R.ID) throws {
    guard connection.changeCount == 0 else { return }
    throw DatabaseError(
      .missing, "\(connection.place): there is no \(R.self) with id \(id); add it, or use another id.")
  }
}

extension Table {
  func hasID(_ id: R.ID) -> RowPredicate<R> {
    RowPredicate("\(quoted(columns.first(where: \.isID)?.name ?? "id")) = ?", [id.sqlValue])
  }
}
