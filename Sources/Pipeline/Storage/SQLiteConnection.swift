import CSQLite

/// What SQLite answered to a call that failed.
struct SQLiteFailure: Error, Hashable {
  /// The extended result code.
  var code: Int32
  /// SQLite's words for it.
  var message: String
  /// The number of the system's error behind it, zero if there is none.
  var systemNumber: Int32 = 0

  /// The code without its extension, such as `SQLITE_FULL`.
  var primaryCode: Int32 { code & 0xff }

  /// Whether the file's content can't be trusted.
  var meansDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

  /// What to say of a file whose content can't be trusted.
  func damage(_ path: String, _ verb: String) -> StorageError {
    StorageError(
      .unreadable,
      "can't \(verb) the storage file '\(path)': it is damaged (\(message)); start the program, which keeps it aside "
        + "and goes on from its copy")
  }
}

/// One open database, confined to the thread that made it.
final class SQLiteConnection {
  let handle: OpaquePointer
  private let patience: StoragePatience
  /// The pages of the log that are not in the file itself yet, as of the last commit.
  private var logPages: Int32 = 0
  /// From how many pages of the log on a commit takes them into the file.
  private static let checkpointPages: Int32 = 1_000
  /// More of them are left to the next start by whoever closes in a hurry.
  private static let hurriedPages: Int32 = 4_096

  /// Opens a file for reading and writing, and makes it if it is missing; or for reading alone.
  init(path: String, patience: StoragePatience, readOnly: Bool = false) throws(SQLiteFailure) {
    self.patience = patience
    var opened: OpaquePointer?
    let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened else { throw SQLiteFailure(code: SQLITE_NOMEM, message: "out of memory") }
    guard code == SQLITE_OK else {
      let failure = SQLiteFailure(
        code: code, message: String(cString: sqlite3_errmsg(opened)),
        systemNumber: sqlite3_system_errno(opened))
      sqlite3_close_v2(opened)
      throw failure
    }
    handle = opened
    sqlite3_busy_handler(
      handle,
      { context, tries in
        guard let context else { return 0 }
        return Unmanaged<StoragePatience>.fromOpaque(context).takeUnretainedValue().waits(tries: tries)
          ? 1 : 0
      }, Unmanaged.passUnretained(patience).toOpaque())
    guard !readOnly else { return }
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().takeIn(logPages: pages)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    if logPages > Self.hurriedPages, patience.isHurried { sqlite3_keep_log_at_close(handle) }
    sqlite3_close_v2(handle)
  }

  /// Takes the log into the file once it is long enough, unless there is no time for that.
  private func takeIn(logPages pages: Int32) {
    logPages = pages
    guard pages >= Self.checkpointPages else { return }
    patience.unhurried(handle) {
      var (all, done): (Int32, Int32) = (0, 0)
      let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, &all, &done)
      // What readers or a hurry leave in the log is as durable there, and the next commit tries again.
      if code == SQLITE_OK { logPages = all - done }
    }
  }

  /// Whether the file could only be opened for reading.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether a transaction is open; SQLite ends one by itself after some failures.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs statements that give no rows, or whose rows nobody needs.
  func execute(_ sql: String) throws(SQLiteFailure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw failure(code) }
  }

  /// Compiles a statement that is used often.
  func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure(code) }
    return SQLiteStatement(prepared, of: self)
  }

  /// The integer that a query gives in its first column and row, zero if it gives none.
  func integer(_ sql: String) throws(SQLiteFailure) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Runs a piece of work as a whole or not at all.
  func transaction(_ work: () throws -> Void) throws {
    // Left open only if an earlier rollback failed too.
    if isInTransaction { try execute("ROLLBACK") }
    try execute("BEGIN IMMEDIATE")
    do {
      try work()
      try execute("COMMIT")
    } catch let failure {
      if isInTransaction {
        // What went wrong first is what to tell; without a rollback nothing is committed either.
        do { try execute("ROLLBACK") } catch { throw failure }
      }
      throw failure
    }
  }

  /// The system's error behind an `SQLITE_IOERR`. SQLite 3.40 notes that of a failed commit with the WAL alone.
  private func systemNumber() -> Int32 {
    let noted = sqlite3_system_errno(handle)
    guard noted == 0 else { return noted }
    var number: Int32 = 0
    guard let log, let control = log.pointee.pMethods?.pointee.xFileControl,
      control(log, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK
    else { return 0 }
    return number
  }

  /// The open log, nil before there is one.
  private var log: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
    return code == SQLITE_OK && file?.pointee.pMethods != nil ? file : nil
  }

  /// How many pages this connection has written to the log so far, those of open transactions included.
  var writtenPages: Int {
    var (count, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 0)
    return Int(count)
  }

  /// Waits until what was written to the log is on the disk.
  func syncLog() throws(SQLiteFailure) {
    guard let log, let sync = log.pointee.pMethods?.pointee.xSync else { return }
    let code = sync(log, SQLITE_SYNC_NORMAL)
    if code != SQLITE_OK { throw failure(code) }
  }

  func failure(_ code: Int32) -> SQLiteFailure {
    SQLiteFailure(
      code: code, message: String(cString: sqlite3_errmsg(handle)),
      systemNumber: code & 0xff == SQLITE_IOERR ? systemNumber() : 0)
  }
}

/// A compiled statement, confined to its connection's thread.
final class SQLiteStatement {
  private let handle: OpaquePointer
  private let connection: SQLiteConnection

  /// Tells SQLite to copy what is bound.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  fileprivate init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds bytes in place; they must stay where they are until the next ``reset()``. Nil binds null.
  func bind(_ index: Int32, inPlace field: UnsafeRawBufferPointer?) throws(SQLiteFailure) {
    let code =
      switch field {
      case nil: sqlite3_bind_null(handle, index)
      case let field? where field.isEmpty: sqlite3_bind_zeroblob(handle, index, 0)
      case let field?:
        sqlite3_bind_blob64(handle, index, field.baseAddress, sqlite3_uint64(field.count), nil)
      }
    if code != SQLITE_OK { throw connection.failure(code) }
  }

  /// Binds a copy of some bytes.
  func bind(_ index: Int32, _ bytes: [UInt8]) throws(SQLiteFailure) {
    let code = bytes.withUnsafeBytes { bytes in
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : sqlite3_bind_blob64(
          handle, index, bytes.baseAddress, sqlite3_uint64(bytes.count), Self.copied)
    }
    if code != SQLITE_OK { throw connection.failure(code) }
  }

  /// Binds a copy of a text.
  func bind(_ index: Int32, _ text: String) throws(SQLiteFailure) {
    var text = text
    let code = text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { characters in
        characters.isEmpty
          ? sqlite3_bind_text(handle, index, "", 0, Self.copied)
          : sqlite3_bind_text64(
            handle, index, characters.baseAddress, sqlite3_uint64(characters.count), Self.copied,
            UInt8(SQLITE_UTF8))
      }
    }
    if code != SQLITE_OK { throw connection.failure(code) }
  }

  /// Binds a copy of a text, or null.
  func bind(_ index: Int32, _ text: String?) throws(SQLiteFailure) {
    if let text { try bind(index, text) } else { try bind(index, inPlace: nil) }
  }

  /// Binds an integer, or null.
  func bind(_ index: Int32, _ integer: Int64?) throws(SQLiteFailure) {
    let code = integer.map { sqlite3_bind_int64(handle, index, $0) } ?? sqlite3_bind_null(handle, index)
    if code != SQLITE_OK { throw connection.failure(code) }
  }

  /// Binds a number, or null.
  func bind(_ index: Int32, _ number: Double?) throws(SQLiteFailure) {
    let code = number.map { sqlite3_bind_double(handle, index, $0) } ?? sqlite3_bind_null(handle, index)
    if code != SQLITE_OK { throw connection.failure(code) }
  }

  /// Goes to the next row; false when there is none left.
  func step() throws(SQLiteFailure) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let failure = connection.failure(code)
      sqlite3_reset(handle)
      throw failure
    }
  }

  /// Runs a statement that gives no rows and makes it ready for the next run.
  func run() throws(SQLiteFailure) {
    while try step() {}
    reset()
  }

  /// Makes the statement ready for the next run; what was bound stays bound.
  func reset() { sqlite3_reset(handle) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  func number(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// The column's bytes, valid until the next step or reset.
  func field(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  func bytes(_ column: Int32) -> [UInt8] { Array(field(column)) }
  func text(_ column: Int32) -> String { String(decoding: field(column), as: UTF8.self) }
}
