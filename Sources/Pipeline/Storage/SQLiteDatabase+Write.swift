extension SQLiteDatabase {
  /// Stores commits in their order in one transaction.
  ///
  /// Throws a ``SQLiteFailure`` with the code `SQLITE_INTERRUPT` where they are too many for the time that is left.
  func write(_ commits: [Commit]) throws {
    let counted = (quarantineRows, quarantineBytes, alertsSincePruning)
    do {
      try connection.transaction {
        var pace = TransactionPace(connection, patience)
        for commit in commits { try write(commit, &pace) }
        try pruneHistory()
      }
    } catch {
      // The transaction is undone, and with it what was counted.
      (quarantineRows, quarantineBytes, alertsSincePruning) = counted
      throw error
    }
  }

  private func write(_ commit: Commit, _ pace: inout TransactionPace) throws {
    try write(commit.states, put: putState, remove: removeState, &pace)
    try write(commit.rules, put: putRule, remove: removeRule, &pace)
    try write(commit.timers, put: putTimer, remove: removeTimer, &pace)
    for (source, position) in commit.positions {
      try putPosition.bind(1, source)
      try putPosition.bind(2, position)
      try putPosition.run()
    }
    for row in commit.outbox { try write(row) }
    for row in commit.settled { try write(row) }
    for number in commit.resent {
      try dropResend.bind(1, number)
      try dropResend.run()
    }
    for row in commit.quarantine { try write(options.quarantine.fitted(row)) }
  }

  /// Stores rows without copying a field: the statement reads them where they are.
  private func write(
    _ rows: RowBuffer, put: SQLiteStatement, remove: SQLiteStatement, _ pace: inout TransactionPace
  ) throws {
    guard !rows.isEmpty else { return }
    try rows.withFields { fields in
      for row in fields.rowsByKey(count: rows.count, keyColumns: rows.keyColumns) {
        let isRemoval = rows.isRemoval(row)
        let statement = isRemoval ? remove : put
        var bytes = 0
        for column in 0..<(isRemoval ? rows.keyColumns : rows.columns) {
          let field = fields[row, column]
          bytes += field?.count ?? 0
          try statement.bind(Int32(column + 1), inPlace: field)
        }
        try statement.run()
        try pace.wrote(bytes: bytes)
      }
    }
  }

  private func write(_ row: OutboxRow) throws {
    let alert = row.alert
    try putAlert.bind(1, alert.id)
    try putAlert.bind(2, alert.kind.rawValue)
    try putAlert.bind(3, Int64(alert.severity.rawValue))
    try putAlert.bind(4, alert.script)
    try putAlert.bind(5, alert.name)
    try putAlert.bind(6, alert.key)
    try putAlert.bind(7, alert.text)
    try putAlert.bind(8, alert.time.milliseconds)
    try putAlert.bind(9, alert.value)
    try putAlert.bind(10, LabelEncoding.encode(alert.labels))
    try putAlert.bind(11, Int64(alert.lasts ? 1 : 0))
    try putAlert.run()
    try putDelivery.bind(1, alert.id)
    try putDelivery.bind(2, row.channel)
    try putDelivery.bind(3, row.origin)
    try putDelivery.bind(4, row.queued.milliseconds)
    try putDelivery.bind(5, Int64(row.attempt))
    try putDelivery.bind(6, row.notBefore.milliseconds)
    try putDelivery.bind(7, row.hold?.description)
    try putDelivery.bind(8, row.heldUntil?.milliseconds)
    try putDelivery.bind(9, Int64(row.isSilenced ? 1 : 0))
    try putDelivery.bind(10, Int64(row.omitted))
    try putDelivery.run()
    alertsSincePruning += 1
  }

  private func write(_ row: SettledRow) throws {
    let (outcome, reason): (StoredOutcome, String) =
      switch row.outcome {
      case .delivered: (.delivered, "")
      case .failed(let reason): (.failed, reason)
      case .expired: (.expired, "")
      case .replaced(let channel): (.replaced, channel)
      case .silenced: (.silenced, "")
      case .digested(let digest): (.digested, digest)
      }
    try settle.bind(1, outcome.rawValue)
    try settle.bind(2, reason)
    try settle.bind(3, Int64(row.attempt))
    try settle.bind(4, row.time.milliseconds)
    try settle.bind(5, row.key.alert)
    try settle.bind(6, row.key.channel)
    try settle.run()
  }

  private func write(_ row: QuarantineRow) throws {
    try putQuarantine.bind(1, row.time.milliseconds)
    try putQuarantine.bind(2, row.script)
    try putQuarantine.bind(3, row.source)
    try putQuarantine.bind(4, row.input)
    try putQuarantine.bind(5, row.reason)
    try putQuarantine.bind(6, row.place)
    try putQuarantine.bind(7, row.traceback)
    try putQuarantine.bind(8, row.message)
    try putQuarantine.bind(9, Int64(row.messageLength))
    try putQuarantine.bind(10, Int64(row.size))
    try putQuarantine.bind(11, row.marks.encoded)
    try putQuarantine.run()
    quarantineRows += 1
    quarantineBytes += row.size
    let bound = options.quarantine
    while quarantineRows > 1, quarantineRows > bound.rows || quarantineBytes > bound.bytes {
      guard try dropQuarantine.step() else { break }
      quarantineBytes -= Int(dropQuarantine.integer(0))
      quarantineRows -= 1
      try dropQuarantine.run()
    }
  }

  /// Cuts the history to its bound now and then: first alerts that were told, dead letters only beyond
  /// twice the bound, and never one that is still queued.
  private func pruneHistory() throws {
    guard alertsSincePruning >= min(256, options.historyRows) else { return }
    alertsSincePruning = 0
    let stored = try connection.integer("SELECT count(*) FROM alert")
    try prune(stored - Int64(options.historyRows), keeping: "0, 2")
    let left = try connection.integer("SELECT count(*) FROM alert")
    try prune(left - 2 * Int64(options.historyRows), keeping: "0")
  }

  /// Drops the oldest alerts beyond a bound, published values before any other, so that they crowd none out.
  private func prune(_ surplus: Int64, keeping outcomes: String) throws {
    guard surplus > 0 else { return }
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS pruned (id TEXT);
      INSERT INTO pruned SELECT id FROM alert WHERE NOT EXISTS (
        SELECT 1 FROM delivery WHERE alert = alert.id AND outcome IN (\(outcomes)))
        ORDER BY kind <> 'published', number LIMIT \(surplus);
      DELETE FROM delivery WHERE alert IN (SELECT id FROM pruned);
      DELETE FROM alert WHERE id IN (SELECT id FROM pruned);
      DELETE FROM pruned;
      """)
  }
}
