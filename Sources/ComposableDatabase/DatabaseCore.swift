internal import Composable

/// What a database does under its lock.
struct DatabaseCore: Sendable {
  enum Source: Sendable {
    case open(Connection)
    /// Nobody gave a database.
    case missing(reports: Bool)
  }

  private let source: Source
  private var observers: [UInt64: QueryObserver] = [:]
  private var lastObserver: UInt64 = 0

  init(_ source: Source) { self.source = source }

  /// Runs something where there is a database.
  mutating func use<Result>(_ name: String, _ body: (inout Self) throws -> Result) throws -> Result {
    if case .missing(let reports) = source {
      if reports { reportUnimplemented("database.\(name)") }
      throw UnimplementedDependency("database.\(name)")
    }
    return try body(&self)
  }

  private func connection() throws -> Connection {
    guard case .open(let connection) = source else { throw UnimplementedDependency("database") }
    return connection
  }

  func read() throws -> Transaction { Transaction(connection: try connection()) }

  /// Whether every change is durable.
  var isSaved: Bool {
    if case .open(let connection) = source { !connection.isInTransaction } else { true }
  }

  mutating func change<Result>(
    isDeferred: Bool, _ body: (Transaction) throws -> Result
  ) throws -> Result {
    let connection = try connection()
    if isDeferred, !connection.isInTransaction {
      try connection.execute("BEGIN IMMEDIATE", doing: "beginning a transaction")
    }
    do {
      let result = try connection.atomically { try body(Transaction(connection: connection)) }
      notify(connection.takeTouched(), connection)
      return result
    } catch {
      // What it touched was undone.
      _ = connection.takeTouched()
      throw error
    }
  }

  mutating func save() throws {
    let connection = try connection()
    if connection.isInTransaction { try connection.execute("COMMIT", doing: "saving") }
  }

  mutating func rollback() throws {
    let connection = try connection()
    guard connection.isInTransaction else { return }
    try connection.execute("ROLLBACK", doing: "taking changes back")
    notify(nil, connection)
  }

  // MARK: - Observing

  mutating func observe(_ observer: QueryObserver) throws -> UInt64 {
    lastObserver += 1
    observers[lastObserver] = observer
    observer.update(try read())
    return lastObserver
  }

  mutating func removeObserver(_ number: UInt64) { observers[number] = nil }

  /// Tells those who observe one of these tables; all of them for nil.
  private func notify(_ tables: Set<String>?, _ connection: Connection) {
    for (_, observer) in observers.sorted(by: { $0.key < $1.key }) {
      if tables?.contains(observer.table) ?? true { observer.update(Transaction(connection: connection)) }
    }
  }
}

/// Someone who is told the rows of a query when they change.
struct QueryObserver: Sendable {
  let table: String
  /// Called under the database's lock.
  let update: @Sendable (Transaction) -> Void
}
