/// What an outbox wants stored with the next commit.
package struct OutboxChanges: Sendable, Hashable {
  /// What to tell the outbox once the commit is durable: see ``Outbox/committed(_:)``.
  package var number: Int
  /// New deliveries, and queued ones whose attempts have changed: for ``Commit/outbox``.
  package var rows: [OutboxRow] = []
  /// Deliveries that came to an end: for ``Commit/settled``.
  package var settled: [SettledRow] = []
  /// Orders to send again that the rows fulfil: for ``Commit/resent``.
  package var resent: [Int64] = []

  /// Whether there is nothing to store.
  package var isEmpty: Bool { rows.isEmpty && settled.isEmpty && resent.isEmpty }
}

/// An attempt to make now.
package struct Delivery: Sendable, Hashable {
  package var alert: Alert
  package var channel: String
  /// What a receiver recognises a repeat by: see ``OutboxRow/id``.
  package var id: String
  /// Which attempt this is, from 1; to be given back with the outcome.
  package var attempt: Int
}

/// An alert that became a dead letter, the first of its channel since that delivered anything.
package struct LostDelivery: Sendable, Hashable {
  package var alert: Alert
  package var channel: String
  /// Why, in the words of its last attempt.
  package var reason: String
  package var time: Timestamp
}

/// That a channel went down or came back.
package struct ChannelHealthChange: Sendable, Hashable {
  package var channel: String
  /// What the channel said when it went down, nil when it came back.
  package var failure: String?
  package var time: Timestamp
}
