/// Leaves orders of users in a storage file, whether a host is using it or not.
///
/// A host that runs takes note within a second, and before any alert leaves that is stored after the order.
package struct StorageDesk {
  private let connection: SQLiteConnection
  private let file: String

  /// How long an ended silence is kept for those who look.
  private static let silenceMemory = Milliseconds.minutes(24 * 60)
  /// The most silences that may stand at a time, the ended ones included.
  private static let silenceBound = 10_000

  /// Opens the file of a reader for writing.
  ///
  /// - Throws: ``StorageError`` if it can't be written.
  package init(_ reader: StorageReader) throws(StorageError) {
    file = reader.file
    // Refuses what can't be written before SQLite makes anything beside it.
    _ = try SQLiteFile(path: file)
    do {
      connection = try SQLiteConnection(path: file, patience: StoragePatience(5_000))
    } catch {
      throw StorageReader.error(error, file, "write")
    }
    guard !connection.isReadOnly else { throw SQLiteFile.readOnly(file) }
  }

  /// Silences a rule, or one key of it, and gives the silence's number.
  package func silence(
    rule: String, key: String?, from begins: Timestamp, to ends: Timestamp
  ) throws(StorageError) -> Int64 {
    try write { connection in
      let prune = try connection.prepare("DELETE FROM silence WHERE ends < ?")
      try prune.bind(1, (begins + Milliseconds(-Self.silenceMemory.count)).milliseconds)
      try prune.run()
      guard try connection.integer("SELECT count(*) FROM silence") < Self.silenceBound else {
        throw StorageError(
          .failed, "the storage file '\(file)' has \(Self.silenceBound) silences already; lift some of them")
      }
      let add = try connection.prepare("INSERT INTO silence (rule, key, begins, ends) VALUES (?, ?, ?, ?)")
      try add.bind(1, rule)
      try add.bind(2, key)
      try add.bind(3, begins.milliseconds)
      try add.bind(4, ends.milliseconds)
      try add.run()
      return try connection.integer("SELECT last_insert_rowid()")
    }
  }

  /// Ends the silence of a number, or all, at a time; gives those that were active until then.
  package func lift(_ number: Int64?, at time: Timestamp) throws(StorageError) -> [Silence] {
    try write { connection in
      let lifted = try connection.silences().filter {
        $0.isActive(at: time) && (number == nil || $0.number == number)
      }
      let end = try connection.prepare("UPDATE silence SET ends = ? WHERE number = ?")
      for silence in lifted {
        try end.bind(1, time.milliseconds)
        try end.bind(2, silence.number)
        try end.run()
      }
      return lifted
    }
  }

  /// Orders that dead letters be sent again: those of an alert, of a channel, or all; gives how many.
  package func resend(alert: String?, channel: String?) throws(StorageError) -> Int {
    try write { connection in
      let statement = try connection.prepare(
        """
        INSERT INTO resend (alert, channel) SELECT alert, channel FROM delivery
        WHERE outcome = 2 AND (?1 IS NULL OR alert = ?1) AND (?2 IS NULL OR channel = ?2)
        ORDER BY number ON CONFLICT DO NOTHING
        """)
      try statement.bind(1, alert)
      try statement.bind(2, channel)
      try statement.run()
      return Int(try connection.integer("SELECT changes()"))
    }
  }

  private func write<Result>(_ work: (SQLiteConnection) throws -> Result) throws(StorageError) -> Result {
    var result: Result?
    do {
      try connection.transaction { result = try work(connection) }
    } catch {
      throw StorageReader.error(error, file, "write")
    }
    guard let result else { throw StorageError(.failed, "can't write the storage file '\(file)'") }
    return result
  }
}
