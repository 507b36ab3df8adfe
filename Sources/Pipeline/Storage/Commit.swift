/// What changed since the last commit: one consistent cut of the whole engine, stored as a whole or not at all.
///
/// Everything in it is as of the same turn, so after a crash each key stands at the same prefix of its input
/// and each source resumes from its one stored position. An outgoing effect leaves only after the commit that
/// holds its outbox row.
package struct Commit: Sendable {
  /// Script, key, data in JSON.
  package private(set) var states = RowBuffer(columns: 3, keyColumns: 2)
  /// Script, rule, key, data.
  package private(set) var rules = RowBuffer(columns: 4, keyColumns: 3)
  /// Script, key, action, due time, payload.
  package private(set) var timers = RowBuffer(columns: 5, keyColumns: 3)
  /// Where each source resumes, by the source's name.
  package var positions: [String: String] = [:]
  /// New deliveries, and queued ones whose attempts have changed.
  package var outbox: [OutboxRow] = []
  /// Deliveries that came to an end and move to the history.
  package var settled: [SettledRow] = []
  /// The numbers of the orders to send again that ``outbox`` fulfils: see ``StandingOrders/resends``.
  package var resent: [Int64] = []
  /// Messages that a script failed on.
  package var quarantine: [QuarantineRow] = []

  /// Makes a commit of nothing.
  package init() {}

  /// Whether there is nothing to store.
  package var isEmpty: Bool {
    states.isEmpty && rules.isEmpty && timers.isEmpty && positions.isEmpty && outbox.isEmpty
      && settled.isEmpty && resent.isEmpty && quarantine.isEmpty
  }
}

extension Commit {
  /// Sets the state of a script's key to data in JSON; nil removes it.
  package mutating func putState(
    script: String, key: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer?
  ) {
    states.add(script)
    states.add(key)
    if let data { states.add(data) } else { states.addNull() }
  }

  /// Sets the state of a script's key to data in JSON; nil removes it.
  package mutating func putState(script: String, key: String, data: [UInt8]?) {
    states.add(script)
    states.add(key)
    if let data { states.add(data) } else { states.addNull() }
  }

  /// Sets what a rule knows of a key; nil removes it.
  package mutating func putRule(script: String, rule: String, key: String, data: [UInt8]?) {
    rules.add(script)
    rules.add(rule)
    rules.add(key)
    if let data { rules.add(data) } else { rules.addNull() }
  }

  /// Sets what a rule knows of a key to the bytes that a closure appends.
  package mutating func putRule(
    script: String, rule: String, key: UnsafeRawBufferPointer, writing data: (inout [UInt8]) -> Void
  ) {
    rules.add(script)
    rules.add(rule)
    rules.add(key)
    rules.add(data)
  }

  /// Sets the one pending timer of a script's key and action; without a due time it is removed.
  package mutating func putTimer(
    script: String, key: String, action: String, due: Timestamp?, payload: [UInt8] = []
  ) {
    timers.add(script)
    timers.add(key)
    timers.add(action)
    if let due { timers.add(due.milliseconds) } else { timers.addNull() }
    timers.add(payload)
  }
}

extension Commit {
  /// Takes in a later commit, so that both are stored as one.
  ///
  /// The result is bounded by the number of keys and not by the number of commits taken in.
  package mutating func merge(_ later: Commit) {
    states.append(later.states)
    states.compactIfGrown()
    rules.append(later.rules)
    rules.compactIfGrown()
    timers.append(later.timers)
    timers.compactIfGrown()
    positions.merge(later.positions) { _, new in new }
    var places: [DeliveryKey: Int] = [:]
    for (index, row) in outbox.enumerated() { places[row.deliveryKey] = index }
    for row in later.outbox {
      if let index = places[row.deliveryKey] {
        outbox[index] = row
      } else {
        places[row.deliveryKey] = outbox.count
        outbox.append(row)
      }
    }
    settled.append(contentsOf: later.settled)
    resent.append(contentsOf: later.resent)
    quarantine.append(contentsOf: later.quarantine)
    if quarantine.count > Self.quarantineBound {
      quarantine.removeFirst(quarantine.count - Self.quarantineBound)
    }
  }

  /// How many quarantined messages wait for storage at most; the oldest give way.
  private static let quarantineBound = 1_000
}
