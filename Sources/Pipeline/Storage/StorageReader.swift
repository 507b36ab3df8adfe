import Glibc

/// A look into a storage file, whether a host is using it or not; nothing is changed and nobody has to wait.
///
/// It sees what has been committed, which a running host does at least once a second.
package struct StorageReader {
  private let connection: SQLiteConnection
  /// The file, as it was named.
  let file: String

  /// Opens the file.
  ///
  /// - Throws: ``StorageError`` if there is none, or it isn't one of this program and version.
  package init(file: String) throws(StorageError) {
    self.file = file
    guard access(file, F_OK) == 0 else {
      throw StorageError(.failed, "there is no storage file '\(file)' yet; 'pipeline run' makes it")
    }
    try SQLiteFile(path: file, mustBeWritable: false).checkHeader()
    do {
      connection = try SQLiteConnection(path: file, patience: StoragePatience(1_000), readOnly: true)
      let version = try connection.integer("PRAGMA user_version")
      guard version == SQLiteSchema.current.version else {
        throw StorageError(
          version > SQLiteSchema.current.version ? .newer : .failed,
          "the storage file '\(file)' has schema version \(version) and this program reads "
            + "\(SQLiteSchema.current.version); use the program that runs with it")
      }
    } catch {
      throw Self.error(error, file)
    }
  }

  /// The latest deliveries that came to an end, newest first.
  package func history(
    limit: Int, filter: DeliveryFilter = DeliveryFilter()
  ) throws(StorageError) -> [HistoryRow] {
    try read { try $0.history(limit: limit, filter: filter) }
  }

  /// The silences, in the order of their numbers, with those that ended lately.
  package func silences() throws(StorageError) -> [Silence] { try read { try $0.silences() } }

  /// What users asked for and no host has taken note of yet, and the silences.
  package func orders() throws(StorageError) -> StandingOrders { try read { try $0.orders() } }

  /// The deliveries that have not come to an end, in the order they were queued.
  package func outbox(_ filter: DeliveryFilter = DeliveryFilter()) throws(StorageError) -> [OutboxRow] {
    try read { try $0.outbox() }.filter(filter.allows)
  }

  /// Where the rules stand, in the order of scripts, rules and keys.
  package func rules() throws(StorageError) -> [StoredRule] { try read { try $0.rules() } }

  /// The names under which alerts were or can be raised, as far as the file knows them.
  package func alertNames() throws(StorageError) -> Set<String> { try read { try $0.alertNames() } }

  /// The latest messages that scripts failed on, newest first, with their numbers.
  package func quarantine(limit: Int) throws(StorageError) -> [(number: Int64, row: QuarantineRow)] {
    try read { try $0.quarantine(limit: limit) }
  }

  /// The message of a number, nil if it isn't there any more.
  package func quarantined(_ number: Int64) throws(StorageError) -> QuarantineRow? {
    try read { try $0.quarantine(limit: 1, number: number) }.first?.row
  }

  /// The states of a script's keys, or the one of a key, as JSON.
  package func states(
    script: String, key: String? = nil, limit: Int = .max
  ) throws(StorageError) -> [(key: String, row: String)] {
    try read { try $0.states(script: script, key: key, limit: limit) }
  }

  private func read<Result>(_ query: (SQLiteConnection) throws -> Result) throws(StorageError) -> Result {
    do { return try query(connection) } catch { throw Self.error(error, file) }
  }

  static func error(_ error: any Error, _ file: String, _ verb: String = "read") -> StorageError {
    if let error = error as? StorageError { return error }
    if let failure = error as? SQLiteFailure, failure.meansDamage { return failure.damage(file, verb) }
    let reason = (error as? SQLiteFailure)?.message ?? "\(error)"
    return StorageError(.unreadable, "can't \(verb) the storage file '\(file)': \(reason)")
  }
}
