/// The end of one delivery.
package struct SettledRow: Sendable, Hashable {
  /// How a delivery ended.
  package enum Outcome: Sendable, Hashable {
    case delivered
    /// Given up; kept as a dead letter with what the channel said.
    case failed(reason: String)
    /// Too old to be worth telling; counted in the channel's summary.
    case expired
    /// Handed to the channel's fallback instead.
    case replaced(by: String)
    /// Not sent, since its rule was silenced.
    case silenced
    /// Held by a route, and told in the digest of an id.
    case digested(in: String)
  }

  package var key: DeliveryKey
  package var outcome: Outcome
  /// How many attempts were made.
  package var attempt: Int
  package var time: Timestamp

  /// Makes the end of a delivery.
  package init(key: DeliveryKey, outcome: Outcome, attempt: Int, time: Timestamp) {
    self.key = key
    self.outcome = outcome
    self.attempt = attempt
    self.time = time
  }
}

/// One delivery of the past, with the alert it was about.
package struct HistoryRow: Sendable, Hashable {
  package var alert: Alert
  package var settled: SettledRow

  /// Makes a row of the history.
  package init(alert: Alert, settled: SettledRow) {
    self.alert = alert
    self.settled = settled
  }

  /// Whether it is a published value that came to a good end: it isn't history, which tells what became of alerts.
  var isPublication: Bool {
    guard alert.kind == .published else { return false }
    if case .failed = settled.outcome { return false }
    return true
  }
}
