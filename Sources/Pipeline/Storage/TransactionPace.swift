import CSQLite

/// Keeps a large transaction from leaving all of the disk's work to its end, and ends one for which there is no time.
struct TransactionPace {
  /// How much is written between two looks at the clock.
  private static let look = (rows: 1_000, bytes: 1 << 20)
  /// How many pages of 4 KiB the disk may owe.
  private static let owedPages = 4_096

  private let connection: SQLiteConnection
  private let patience: StoragePatience
  private var rows = 0
  private var bytes = 0
  private var syncedPages: Int

  /// Begins with a transaction.
  init(_ connection: SQLiteConnection, _ patience: StoragePatience) {
    self.connection = connection
    self.patience = patience
    syncedPages = connection.writtenPages
  }

  /// Counts a row that was written.
  ///
  /// - Throws: ``SQLiteFailure`` with the code `SQLITE_INTERRUPT` where the time is over.
  mutating func wrote(bytes count: Int) throws(SQLiteFailure) {
    rows += 1
    bytes += count
    guard rows >= Self.look.rows || bytes >= Self.look.bytes else { return }
    (rows, bytes) = (0, 0)
    if patience.isOver { throw SQLiteFailure(code: SQLITE_INTERRUPT, message: "the time is over") }
    let written = connection.writtenPages
    guard written - syncedPages >= Self.owedPages else { return }
    try connection.syncLog()
    syncedPages = written
  }
}
