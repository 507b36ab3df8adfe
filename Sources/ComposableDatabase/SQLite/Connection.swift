internal import CSQLite

/// An open SQLite database.
///
/// Sendable because it is only used under the lock of its ``Database``.
final class Connection: @unchecked Sendable {
  private let handle: OpaquePointer
  /// What errors call the database.
  let place: String
  private var statements: [String: Statement] = [:]
  /// The tables that were written to since somebody last asked.
  private let touched = TouchedTables()

  init(_ path: String, place: String) throws(DatabaseError) {
    self.place = place
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened else { throw DatabaseError(.sqlite(code: SQLITE_NOMEM), "\(place): out of memory.") }
    handle = opened
    // From here on `deinit` closes it.
    guard code == SQLITE_OK else { throw failure(code, "the database can't be opened") }
    sqlite3_busy_timeout(handle, 5_000)
    sqlite3_update_hook(
      handle,
      { context, _, _, table, _ in
        guard let context, let table else { return }
        Unmanaged<TouchedTables>.fromOpaque(context).takeUnretainedValue().names
          .insert(String(cString: table))
      }, Unmanaged.passUnretained(touched).toOpaque())
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
  var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// Notes that a table is written to; SQLite itself doesn't tell where it empties one as a whole.
  func touch(_ table: String) { touched.names.insert(table) }

  func takeTouched() -> Set<String> {
    defer { touched.names = [] }
    return touched.names
  }

  /// Runs statements that give no rows.
  func execute(_ sql: String, doing task: String) throws(DatabaseError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw failure(code, task) }
  }

  /// Runs one statement with values, and calls a function for each row.
  func run(
    _ sql: String, _ values: [SQLValue] = [], doing task: String,
    row body: (Statement) throws -> Void = { _ in }
  ) throws {
    let statement = try prepare(sql, doing: task)
    defer { statement.reset() }
    for (index, value) in values.enumerated() {
      let code = statement.bind(value, at: Int32(index + 1))
      if code != SQLITE_OK { throw failure(code, task) }
    }
    while true {
      switch statement.step() {
      case SQLITE_ROW: try body(statement)
      case SQLITE_DONE: return
      case let code: throw failure(code, task)
      }
    }
  }

  private func prepare(_ sql: String, doing task: String) throws(DatabaseError) -> Statement {
    if let statement = statements[sql] { return statement }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure(code, task) }
    // Bounded, so that statements made from text that varies don't pile up.
    if statements.count >= 100 { statements = [:] }
    let statement = Statement(prepared)
    statements[sql] = statement
    return statement
  }

  private func failure(_ code: Int32, _ task: String) -> DatabaseError {
    let reason: DatabaseError.Reason =
      code & 0xff == SQLITE_CONSTRAINT ? .constraint : .sqlite(code: code)
    return DatabaseError(reason, "\(place): \(task) failed: \(String(cString: sqlite3_errmsg(handle))).")
  }
}

private final class TouchedTables {
  var names: Set<String> = []
}
