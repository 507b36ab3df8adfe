/// Everything that the engine continues from after a start: the last commit's cut.
package struct Snapshot: Sendable {
  /// Script, key, data in JSON: the columns of ``Commit/states``; no removals.
  package var states = RowBuffer(columns: 3, keyColumns: 2)
  /// Script, rule, key, data.
  package var rules = RowBuffer(columns: 4, keyColumns: 3)
  /// Script, key, action, due time, payload.
  package var timers = RowBuffer(columns: 5, keyColumns: 3)
  /// Where each source resumes, by the source's name.
  package var positions: [String: String] = [:]
  /// Deliveries that have not come to an end, in the order they were queued.
  package var outbox: [OutboxRow] = []
  /// What tells this storage apart from others, whose numbers of episodes are its own; goes into the ids of alerts.
  package var origin = ""
  /// What the user has to be told about the start, such as a file that was kept aside.
  package var notices: [StorageNotice] = []

  /// Makes a snapshot of nothing.
  package init() {}

  /// What scripts changed of the subscriptions of a source.
  func subscriptions(of source: String) -> SubscriptionChanges {
    positions[SubscriptionChanges.storageName(of: source)].flatMap { SubscriptionChanges(encoded: $0) }
      ?? SubscriptionChanges()
  }
}

/// Something about the storage that the user has to be told, although the program goes on.
package struct StorageNotice: Sendable, Hashable {
  /// One sentence.
  package var message: String
  /// Where the old content is kept, nil if none was put aside.
  package var keptAside: String?

  /// Makes a notice from a sentence.
  package init(message: String, keptAside: String? = nil) {
    self.message = message
    self.keptAside = keptAside
  }
}
