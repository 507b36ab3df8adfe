/// A value that is a row of a table.
///
///     struct Workout: Record, Equatable {
///       var id: UniqueID
///       var name: String
///       var minutes: Int
///
///       static let table = Table<Self>(
///         "workouts", .id(\.id), .column("name", \.name), .column("minutes", \.minutes))
///
///       init(row: Row<Self>) throws {
///         id = try row[\.id]
///         name = try row[\.name]
///         minutes = try row[\.minutes]
///       }
///     }
public protocol Record: Sendable, Identifiable where ID: DatabaseValue {
  /// The table and its columns.
  static var table: Table<Self> { get }
  /// Reads a row.
  init(row: Row<Self>) throws
}

/// A row while it is read.
public struct Row<R: Record> {
  let statement: Statement
  let place: String

  /// The value of a column.
  public subscript<Value: DatabaseValue>(_ keyPath: KeyPath<R, Value>) -> Value {
    get throws {
      let index = R.table.index(of: keyPath)
      let stored = statement.value(at: index)
      if let value = Value(sqlValue: stored) { return value }
      throw DatabaseError(
        .unexpectedValue,
        "\(place): \(R.table.name).\(R.table.columns[index].name) holds \(stored), but a \(R.self) expects "
          + "\(Value.self) there; correct the row or add a migration.")
    }
  }
}
