/// Which deliveries are meant; what is nil allows everything.
package struct DeliveryFilter: Sendable, Hashable {
  /// The name of the rule, or the one given to `alert.send`.
  package var rule: String?
  package var key: String?
  /// The least severity.
  package var minSeverity: Severity?
  package var channel: String?
  /// The first moment: of the end of a delivery, of the queueing of one that waits.
  package var since: Timestamp?
  /// The moment before which it must have been.
  package var until: Timestamp?
  /// Whether only dead letters are meant.
  package var failedOnly = false

  /// Makes a filter that allows everything.
  package init() {}

  /// Dead letters only.
  package static var deadLetters: DeliveryFilter {
    var filter = DeliveryFilter()
    filter.failedOnly = true
    return filter
  }

  /// Whether a delivery that waits is meant.
  func allows(_ row: OutboxRow) -> Bool {
    guard !failedOnly, rule.map({ $0 == row.alert.name }) ?? true, key.map({ $0 == row.alert.key }) ?? true,
      row.alert.severity >= minSeverity ?? .info, channel.map({ $0 == row.channel }) ?? true
    else { return false }
    return since.map { $0 <= row.queued } ?? true && until.map { row.queued < $0 } ?? true
  }

  /// The condition of a query of deliveries `d` and alerts `a` that came to an end, for the parameters from the first.
  static let condition = """
    (?1 IS NULL OR a.name = ?1) AND (?2 IS NULL OR a.key = ?2) AND a.severity >= ?3
    AND (?4 IS NULL OR d.channel = ?4) AND (?5 IS NULL OR d.settled >= ?5)
    AND (?6 IS NULL OR d.settled < ?6) AND (?7 = 0 OR d.outcome = 2)
    """

  /// Binds the parameters of ``condition``.
  func bind(to statement: SQLiteStatement) throws(SQLiteFailure) {
    try statement.bind(1, rule)
    try statement.bind(2, key)
    try statement.bind(3, Int64((minSeverity ?? .info).rawValue))
    try statement.bind(4, channel)
    try statement.bind(5, since?.milliseconds)
    try statement.bind(6, until?.milliseconds)
    try statement.bind(7, Int64(failedOnly ? 1 : 0))
  }
}
