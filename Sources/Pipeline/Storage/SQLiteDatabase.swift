import CSQLite

/// An open storage file with its statements, confined to the storage's thread.
final class SQLiteDatabase {
  let connection: SQLiteConnection
  private let file: SQLiteFile
  private let identity: SQLiteFile.Identity?
  let options: SQLiteStorage.Options
  let patience: StoragePatience
  let putState: SQLiteStatement
  let removeState: SQLiteStatement
  let putRule: SQLiteStatement
  let removeRule: SQLiteStatement
  let putTimer: SQLiteStatement
  let removeTimer: SQLiteStatement
  let putPosition: SQLiteStatement
  let putAlert: SQLiteStatement
  let putDelivery: SQLiteStatement
  let settle: SQLiteStatement
  let dropResend: SQLiteStatement
  let putQuarantine: SQLiteStatement
  let dropQuarantine: SQLiteStatement
  /// What the quarantine holds now, so that its bound costs no query per row.
  var quarantineRows = 0
  var quarantineBytes = 0
  /// Alerts stored since the history was last cut to its bound.
  var alertsSincePruning = 0

  /// Opens the file, checks it and brings its tables to the schema's version.
  ///
  /// Throws an ``SQLiteFailure`` that means damage if the content can't be trusted, otherwise a
  /// ``StorageError``.
  init(file: SQLiteFile, options: SQLiteStorage.Options, patience: StoragePatience) throws {
    self.options = options
    self.patience = patience
    self.file = file
    connection = try SQLiteConnection(path: file.resolvedPath, patience: patience)
    if connection.isReadOnly { throw SQLiteFile.readOnly(file.path) }
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = FULL")
    try connection.execute("PRAGMA journal_size_limit = 67108864")
    try connection.execute("PRAGMA cache_size = -\(options.cacheKibibytes)")
    identity = file.identity
    try Self.check(connection)
    try Self.migrate(connection, file: file, schema: options.schema)

    // Where a table is its primary key and nothing else, this is one step in its tree, old row or none.
    putState = try connection.prepare("REPLACE INTO state (script, key, data) VALUES (?, ?, ?)")
    removeState = try connection.prepare("DELETE FROM state WHERE script = ? AND key = ?")
    putRule = try connection.prepare("REPLACE INTO rule (script, rule, key, data) VALUES (?, ?, ?, ?)")
    removeRule = try connection.prepare("DELETE FROM rule WHERE script = ? AND rule = ? AND key = ?")
    putTimer = try connection.prepare(
      "REPLACE INTO timer (script, key, action, due, payload) VALUES (?, ?, ?, ?, ?)")
    removeTimer = try connection.prepare("DELETE FROM timer WHERE script = ? AND key = ? AND action = ?")
    putPosition = try connection.prepare("REPLACE INTO position (source, position) VALUES (?, ?)")
    putAlert = try connection.prepare(
      """
      INSERT INTO alert (id, kind, severity, script, name, key, text, time, value, labels, lasts)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET severity = excluded.severity, text = excluded.text, time = excluded.time,
        value = excluded.value, labels = excluded.labels, lasts = excluded.lasts
      """)
    putDelivery = try connection.prepare(
      """
      INSERT INTO delivery (
        alert, channel, origin, queued, attempt, not_before, hold, held_until, silenced, omitted)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET queued = excluded.queued, attempt = excluded.attempt,
        not_before = excluded.not_before, hold = excluded.hold, held_until = excluded.held_until,
        silenced = excluded.silenced, omitted = excluded.omitted, outcome = 0, reason = '', settled = NULL
      """)
    settle = try connection.prepare(
      """
      UPDATE delivery SET outcome = ?, reason = ?, attempt = ?, settled = ?
      WHERE alert = ? AND channel = ? AND outcome = 0
      """)
    dropResend = try connection.prepare("DELETE FROM resend WHERE number = ?")
    putQuarantine = try connection.prepare(
      """
      INSERT INTO quarantine (time, script, source, input, reason, place, traceback, message, length, size, marks)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    dropQuarantine = try connection.prepare(
      "DELETE FROM quarantine WHERE number = (SELECT min(number) FROM quarantine) RETURNING size")
    try countQuarantine()
  }

  /// The file's path, as it was opened.
  var path: String { file.resolvedPath }

  /// Throws if the path no longer leads to the open file, where nobody would find what is written.
  func checkPlace() throws(StorageError) {
    guard file.identity != identity || identity == nil else { return }
    throw StorageError(
      .moved,
      "the storage file '\(file.path)' was moved or deleted while in use; put it back, nothing is lost so far"
    )
  }

  /// Reads the quarantine's totals.
  private func countQuarantine() throws {
    quarantineRows = Int(try connection.integer("SELECT count(*) FROM quarantine"))
    quarantineBytes = Int(try connection.integer("SELECT total(size) FROM quarantine"))
  }

  private static func check(_ connection: SQLiteConnection) throws {
    let statement = try connection.prepare("PRAGMA quick_check(1)")
    while try statement.step() {
      // What is wrong stands in the last line, behind where it is.
      let finding = statement.text(0).split(separator: "\n").last.map(String.init) ?? ""
      if finding != "ok" { throw SQLiteFailure(code: SQLITE_CORRUPT, message: finding) }
    }
  }

  private static func migrate(
    _ connection: SQLiteConnection, file: SQLiteFile, schema: SQLiteSchema
  ) throws {
    let found = try connection.integer("PRAGMA user_version")
    if found == schema.version { return }
    if found > schema.version {
      throw StorageError(
        .newer,
        "the storage file '\(file.path)' has schema version \(found) and this program knows "
          + "\(schema.version); use the newer program or name another file")
    }
    if found == 0, try connection.integer("SELECT count(*) FROM sqlite_master") > 0 {
      throw StorageError(
        .foreign, "the storage file '\(file.path)' is a database of another program; name another file")
    }
    try connection.transaction {
      for step in schema.steps[Int(found)...] { try connection.execute(step) }
      try connection.execute("PRAGMA user_version = \(schema.version)")
    }
  }
}
