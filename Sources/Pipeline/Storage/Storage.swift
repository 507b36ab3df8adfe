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

  /// Looks for new orders now and then from now on, and calls back on the storage's thread when there are some.
  func watchOrders(_ changed: @escaping @Sendable () -> Void)

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

  /// Tells that the end is near: after this time nothing waits for other processes any more, but fails.
  func hurry(within time: Milliseconds)

  /// Stores what was handed over and closes; commits handed over later fail.
  func close() async
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
