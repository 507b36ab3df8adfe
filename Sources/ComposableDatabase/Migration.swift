/// One step of a database's schema, done once in the life of a file.
///
///     [
///       Migration("workouts") { try $0.createTable(Workout.self) },
///       Migration("notes of workouts") { try $0.execute("ALTER TABLE workouts ADD COLUMN note TEXT") },
///     ]
///
/// A step that has been released must not be changed any more: add another one.
public struct Migration: Sendable {
  /// What it is about; it names the step in the file.
  public let name: String
  let body: @Sendable (Transaction) throws -> Void

  /// Makes a step from what it does; it is done as a whole or not at all.
  public init(_ name: String, _ body: @escaping @Sendable (Transaction) throws -> Void) {
    self.name = name
    self.body = body
  }
}

extension Connection {
  private static let table = "composable_migrations"

  /// Does the steps that the file doesn't know yet.
  func migrate(_ migrations: [Migration]) throws {
    try execute(
      "CREATE TABLE IF NOT EXISTS \(Self.table) (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
      doing: "making the table of migrations")
    var done: [String] = []
    try run("SELECT name FROM \(Self.table) ORDER BY number", doing: "reading the migrations") { statement in
      if case .text(let name) = statement.value(at: 0) { done.append(name) }
    }
    let names = migrations.map(\.name)
    if let index = done.indices.first(where: { !names.indices.contains($0) || names[$0] != done[$0] }) {
      let expected = names.indices.contains(index) ? "'\(names[index])'" : "no migration"
      throw DatabaseError(
        .schema,
        "\(place): migration \(index + 1) of the file is '\(done[index])', but this program has \(expected) "
          + "there; use the program that wrote the file, or a newer one.")
    }
    for (index, migration) in migrations.enumerated().dropFirst(done.count) {
      try atomically {
        do {
          try migration.body(Transaction(connection: self))
        } catch {
          throw DatabaseError(
            .schema, "\(place): the migration '\(migration.name)' failed and was undone: \(error)")
        }
        try run(
          "INSERT INTO \(Self.table) VALUES (?, ?)", [.integer(Int64(index + 1)), .text(migration.name)],
          doing: "noting a migration")
      }
    }
  }

  /// Does something as a whole or not at all, within a transaction that may be open already.
  func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    let isNested = isInTransaction
    try execute(isNested ? "SAVEPOINT step" : "BEGIN IMMEDIATE", doing: "beginning a transaction")
    do {
      let result = try body()
      try execute(isNested ? "RELEASE step" : "COMMIT", doing: "committing")
      return result
    } catch {
      // SQLite ends a transaction by itself after some failures.
      if isInTransaction {
        let undo = isNested ? "ROLLBACK TO step; RELEASE step" : "ROLLBACK"
        do { try execute(undo, doing: "undoing") } catch let failure {
          throw DatabaseError(failure.reason, "\(error) Then \(failure)")
        }
      }
      throw error
    }
  }
}
