/// A home for what must survive the program: states, rules, timers, positions, deliveries, quarantine.
///
/// Commits are stored in the order of the calls to ``submit(_:then:)``. When one has succeeded, all handed
/// over before it are stored too. The content of a failed commit is kept by the storage and goes together with
/// the next one, so nothing is lost and a later cut never overtakes an earlier one; handing an empty commit
/// is the way to try again, and handing the failed one again as the next changes nothing.
package protocol Storage: Sendable {
  /// What to call the storage in messages: a path, or `memory`.
  var home: String { get }

  /// Opens the storage if it isn't open yet and reads everything in it.
  ///
  /// Throws a ``StorageError``.
  func load() async throws(StorageError) -> Snapshot

  /// What users ask of alerts by way of the storage, as of the last commit or the last look.
  ///
  /// It may be read from any thread, without waiting.
  var orders: StandingOrders { get }

  /// Does now and then from now on what nobody hands over: looks for new orders, and makes a copy of itself.
  ///
  /// It calls back on the storage's thread.
  func watch(_ happened: @escaping @Sendable (StorageEvent) -> Void)

  /// Hands over a commit without waiting, and calls back once it is durable or has failed.
  ///
  /// The callback runs on the storage's own thread and must not wait for anything.
  func submit(_ commit: Commit, then completion: @escaping @Sendable (Result<Void, StorageError>) -> Void)

  /// The deliveries that came to an end, the latest first.
  func history(limit: Int) async throws(StorageError) -> [HistoryRow]

  /// The deliveries that were given up, the latest first; queueing one again takes it off this list.
  func deadLetters(limit: Int) async throws(StorageError) -> [HistoryRow]

  /// The quarantined messages, the latest first.
  func quarantine(limit: Int) async throws(StorageError) -> [QuarantineRow]

  /// Tells that the end is near: after this time nothing waits for other processes any more, and nothing large is
  /// written, but fails as a whole.
  func hurry(within time: Milliseconds)

  /// Stores what was handed over and closes; commits handed over later fail.
  ///
  /// Gives why something that was handed over could not be stored, nil if everything is.
  @discardableResult
  func close() async -> StorageError?
}

/// What happens at a storage without a commit.
package enum StorageEvent: Sendable {
  /// Users have given or taken back orders.
  case ordered
  /// The copy that a start goes on from, should the file be damaged, can't be made, for the first time since one was.
  case copyFailed(StorageError)
  /// A copy was made again.
  case copied
}

extension Storage {
  /// Hands over a commit and returns once it is durable.
  ///
  /// Two calls from different tasks may come in either order; a caller who needs an order hands over with
  /// ``submit(_:then:)`` or waits for one before the next. Throws a ``StorageError`` if it is not durable.
  package func commit(_ commit: Commit) async throws(StorageError) {
    let result = await withCheckedContinuation { continuation in
      submit(commit) { continuation.resume(returning: $0) }
    }
    try result.get()
  }
}
