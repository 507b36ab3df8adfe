import CSQLite

/// What is read from a storage file, by its host and by those who only look.
extension SQLiteConnection {
  /// Reads everything that the engine continues from.
  func snapshot() throws -> Snapshot {
    var snapshot = Snapshot()
    try read("SELECT script, key, data FROM state", into: &snapshot.states)
    try read("SELECT script, rule, key, data FROM rule", into: &snapshot.rules)
    try read("SELECT script, key, action, due, payload FROM timer", into: &snapshot.timers)
    let positions = try prepare("SELECT source, position FROM position")
    while try positions.step() { snapshot.positions[positions.text(0)] = positions.text(1) }
    snapshot.outbox = try outbox()
    let origin = try prepare("SELECT name FROM origin")
    if try origin.step() { snapshot.origin = origin.text(0) }
    return snapshot
  }

  /// The deliveries that have not come to an end, in the order they were queued.
  func outbox() throws -> [OutboxRow] {
    var rows: [OutboxRow] = []
    let outbox = try prepare(
      """
      SELECT \(Self.alertColumns), d.channel, d.origin, d.queued, d.attempt, d.not_before, d.hold,
        d.held_until, d.silenced, d.omitted
      FROM delivery d INDEXED BY delivery_queued JOIN alert a ON a.id = d.alert
      WHERE d.outcome = 0 ORDER BY d.number
      """)
    while try outbox.step() {
      var row = OutboxRow(
        alert: try alert(outbox), channel: outbox.text(11), origin: outbox.text(12),
        attempt: Int(outbox.integer(14)), notBefore: Timestamp(milliseconds: outbox.integer(15)),
        queued: Timestamp(milliseconds: outbox.integer(13)))
      // Hours of a zone that the system no longer knows hold nothing back: the alert leaves.
      row.hold = outbox.isNull(16) ? nil : DailyHours(parsing: outbox.text(16))
      row.heldUntil = outbox.isNull(17) ? nil : Timestamp(milliseconds: outbox.integer(17))
      row.isSilenced = outbox.integer(18) != 0
      row.omitted = Int(outbox.integer(19))
      rows.append(row)
    }
    return rows
  }

  /// The latest deliveries that came to an end; of published values those that were given up, see
  /// ``HistoryRow/isPublication``.
  func history(limit: Int, filter: DeliveryFilter = DeliveryFilter()) throws -> [HistoryRow] {
    let statement = try prepare(
      """
      SELECT \(Self.alertColumns), d.channel, d.outcome, d.reason, d.attempt, d.settled
      FROM delivery d JOIN alert a ON a.id = d.alert
      WHERE d.outcome <> 0 AND (a.kind <> 'published' OR d.outcome = 2) AND \(DeliveryFilter.condition)
      ORDER BY d.settled DESC, d.number DESC LIMIT ?8
      """)
    try filter.bind(to: statement)
    try statement.bind(8, Int64(max(limit, 0)))
    var rows: [HistoryRow] = []
    while try statement.step() {
      let alert = try alert(statement)
      let reason = statement.text(13)
      let outcome: SettledRow.Outcome =
        switch StoredOutcome(rawValue: statement.integer(12)) {
        case .delivered: .delivered
        case .failed: .failed(reason: reason)
        case .expired: .expired
        case .replaced: .replaced(by: reason)
        case .silenced: .silenced
        case .digested: .digested(in: reason)
        case .queued, nil: throw SQLiteFailure(code: SQLITE_CORRUPT, message: "unknown outcome")
        }
      rows.append(
        HistoryRow(
          alert: alert,
          settled: SettledRow(
            key: DeliveryKey(alert: alert.id, channel: statement.text(11)), outcome: outcome,
            attempt: Int(statement.integer(14)), time: Timestamp(milliseconds: statement.integer(15)))))
    }
    return rows
  }

  /// The latest messages that scripts failed on, by their numbers, or the one of a number.
  func quarantine(limit: Int, number: Int64? = nil) throws -> [(number: Int64, row: QuarantineRow)] {
    let statement = try prepare(
      """
      SELECT time, script, source, input, reason, place, traceback, message, length, number, marks
      FROM quarantine \(number == nil ? "" : "WHERE number = ?2") ORDER BY number DESC LIMIT ?1
      """)
    try statement.bind(1, Int64(max(limit, 0)))
    if let number { try statement.bind(2, number) }
    var rows: [(number: Int64, row: QuarantineRow)] = []
    while try statement.step() {
      var row = QuarantineRow(
        time: Timestamp(milliseconds: statement.integer(0)), script: statement.text(1),
        source: statement.text(2), input: statement.text(3), reason: statement.text(4),
        place: statement.text(5), traceback: statement.text(6), message: statement.bytes(7),
        marks: MessageMarks(encoded: statement.text(10)))
      row.messageLength = Int(statement.integer(8))
      rows.append((statement.integer(9), row))
    }
    return rows
  }

  /// Where the rules stand, in the order of scripts, rules and keys.
  func rules() throws -> [StoredRule] {
    let statement = try prepare("SELECT script, rule, key, data FROM rule ORDER BY script, rule, key")
    var rules: [StoredRule] = []
    while try statement.step() {
      let rule = try StoredRule(
        script: statement.text(0), rule: statement.text(1), key: statement.text(2), data: statement.text(3))
      if let rule { rules.append(rule) }
    }
    return rules
  }

  /// The names under which alerts were or can be raised, as far as the file knows them.
  func alertNames() throws -> Set<String> {
    let statement = try prepare("SELECT DISTINCT rule FROM rule UNION SELECT DISTINCT name FROM alert")
    var names: Set<String> = []
    while try statement.step() {
      if let name = ScriptRunner.alertName(ofStoredRule: statement.text(0)) { names.insert(name) }
    }
    return names
  }

  /// The states of a script's keys in the order of their bytes, or the one of a key.
  func states(script: String, key: String? = nil, limit: Int) throws -> [(key: String, row: String)] {
    let statement = try prepare(
      """
      SELECT key, data FROM state WHERE script = ?1 \(key == nil ? "" : "AND key = ?3")
      ORDER BY key LIMIT ?2
      """)
    try statement.bind(1, Array(script.utf8))
    try statement.bind(2, Int64(max(limit, 0)))
    if let key { try statement.bind(3, Array(key.utf8)) }
    var rows: [(key: String, row: String)] = []
    while try statement.step() { rows.append((statement.text(0), statement.text(1))) }
    return rows
  }

  private func read(_ sql: String, into rows: inout RowBuffer) throws {
    let statement = try prepare(sql)
    while try statement.step() {
      for column in 0..<rows.columns { rows.add(statement.field(Int32(column))) }
    }
  }

  static let alertColumns =
    "a.id, a.kind, a.severity, a.script, a.name, a.key, a.text, a.time, a.value, a.labels, a.lasts"

  func alert(_ row: SQLiteStatement) throws -> Alert {
    guard let kind = Alert.Kind(rawValue: row.text(1)),
      let severity = UInt8(exactly: row.integer(2)).flatMap(Severity.init(rawValue:)),
      let labels = LabelEncoding.decode(row.bytes(9))
    else { throw SQLiteFailure(code: SQLITE_CORRUPT, message: "an alert with unknown fields") }
    return Alert(
      id: row.text(0), name: row.text(4), script: row.text(3), key: row.text(5), kind: kind,
      severity: severity, text: row.text(6), time: Timestamp(milliseconds: row.integer(7)),
      value: row.isNull(8) ? nil : row.number(8), labels: labels,
      lasts: row.integer(10) != 0)
  }
}
