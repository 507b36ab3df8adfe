/// That alerts of a rule are not to be told for a time.
package struct Silence: Sendable, Hashable {
  /// What it is lifted by.
  package var number: Int64
  /// The name of the rule, or the one given to `alert.send`.
  package var rule: String
  /// The key it is about, nil for all.
  package var key: String?
  package var begins: Timestamp
  /// When it is over by itself; it doesn't cover this moment any more.
  package var ends: Timestamp

  /// Makes a silence from its parts.
  package init(number: Int64, rule: String, key: String?, begins: Timestamp, ends: Timestamp) {
    self.number = number
    self.rule = rule
    self.key = key
    self.begins = begins
    self.ends = ends
  }

  /// Whether it covers a time.
  package func isActive(at time: Timestamp) -> Bool { begins <= time && time < ends }

  /// Whether it is about an alert: what begins or reminds of an episode. The end of one is told to whom its
  /// beginning was told.
  package func covers(_ alert: Alert, at time: Timestamp) -> Bool {
    guard alert.kind == .firing || alert.kind == .reminder, alert.name == rule else { return false }
    return key.map { $0 == alert.key } ?? true && isActive(at: time)
  }
}
