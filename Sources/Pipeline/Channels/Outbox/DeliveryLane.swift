/// What waits for one channel, and how the channel is doing.
struct DeliveryLane: Sendable {
  struct Entry: Sendable {
    var row: OutboxRow
    /// The number of the changes that hold the row; it may leave once they are committed.
    var number: Int
  }

  /// The delivery that is under way.
  struct Flight: Sendable {
    var alert: String
    var attempt: Int
    var deadline: Timestamp
  }

  let policy: DeliveryPolicy
  /// In the order they were queued; nil for one that has gone.
  private var entries: [Entry?] = []
  private var head = 0
  private var ids: Set<String> = []
  /// What routes or silences hold back: see ``HeldDeliveries``.
  var held = HeldDeliveries()
  /// The summary under way and the one that still grows: they go before everything else.
  private var summaries: [Entry] = []
  var flight: Flight?
  var pausedUntil: Timestamp?
  /// When the latest deliveries began, as many as the pace counts and at least the last one.
  private var starts: [Timestamp] = []
  var failures = 0
  var isDown = false
  /// Whether an alert became a dead letter since the last one was delivered.
  var hasLost = false

  init(policy: DeliveryPolicy) { self.policy = policy }

  /// Whether nothing waits, is under way or is held back.
  var isEmpty: Bool { head == entries.count && summaries.isEmpty && flight == nil && held.count == 0 }

  /// The number of alerts that wait, without summaries and what is held back.
  var count: Int { ids.count }

  /// When the alert that has waited longest was queued, without summaries.
  var oldest: Timestamp? { entries[head...].lazy.compactMap { $0?.row.queued }.min() }

  /// Whether the channel is down and not to be tried yet.
  func isOut(_ now: Timestamp) -> Bool {
    isDown && flight == nil && pausedUntil.map { now < $0 } ?? false
  }

  // MARK: Entries

  /// Queues an entry; false if the same alert is queued already.
  mutating func append(_ entry: Entry, ahead: Bool = false) -> Bool {
    guard !held.contains(entry.row.alert.id), ids.insert(entry.row.alert.id).inserted else { return false }
    if ahead { entries.insert(entry, at: head) } else { entries.append(entry) }
    return true
  }

  mutating func append(summary: Entry) { summaries.append(summary) }

  /// Counts expired alerts in the summary that still grows; nil if there is none yet.
  mutating func extendSummary(with alerts: [Alert], now: Timestamp) -> OutboxRow? {
    guard let last = summaries.indices.last, summaries[last].row.alert.id != flight?.alert else { return nil }
    summaries[last].row.alert = ExpiredSummary.extended(summaries[last].row.alert, with: alerts, now: now)
    return summaries[last].row
  }

  /// The entry of an alert.
  func entry(_ alert: String) -> Entry? {
    if let summary = summaries.first(where: { $0.row.alert.id == alert }) { return summary }
    guard ids.contains(alert) else { return nil }
    return entries[head...].first { $0?.row.alert.id == alert } ?? nil
  }

  func isSummary(_ alert: String) -> Bool { summaries.contains { $0.row.alert.id == alert } }

  /// Changes the row of an alert.
  mutating func update(_ row: OutboxRow) {
    if let index = summaries.firstIndex(where: { $0.row.alert.id == row.alert.id }) {
      summaries[index].row = row
    } else if let index = index(of: row.alert.id) {
      entries[index]?.row = row
    }
  }

  /// Takes the entry of an alert out.
  mutating func remove(_ alert: String) -> Entry? {
    if let index = summaries.firstIndex(where: { $0.row.alert.id == alert }) {
      return summaries.remove(at: index)
    }
    guard let index = index(of: alert) else { return nil }
    let entry = entries[index]
    entries[index] = nil
    ids.remove(alert)
    while head < entries.count, entries[head] == nil { head += 1 }
    if head > 64, head * 2 > entries.count {
      entries.removeFirst(head)
      head = 0
    }
    return entry
  }

  private func index(of alert: String) -> Int? {
    guard ids.contains(alert) else { return nil }
    return entries[head...].firstIndex { $0?.row.alert.id == alert }
  }

  // MARK: Choices

  /// Notes that a delivery begins.
  mutating func started(_ now: Timestamp) {
    let count = max(policy.pace?.count ?? 1, 1)
    if starts.count >= count { starts.removeFirst(starts.count - count + 1) }
    starts.append(now)
  }

  /// When the pace allows the next delivery; nil for at any time.
  private var nextStart: Timestamp? {
    guard let pace = policy.pace, starts.count >= pace.count, let first = starts.first else { return nil }
    return first + pace.span
  }

  /// The entry to deliver now, if there is one: see ``candidate(_:committed:)``.
  func next(_ now: Timestamp, committed: Int) -> Entry? {
    guard flight == nil, pausedUntil.map({ $0 <= now }) ?? true, nextStart.map({ $0 <= now }) ?? true
    else { return nil }
    return candidate(now, committed: committed).flatMap { $0.row.notBefore <= now ? $0 : nil }
  }

  /// The entry that is due first, of those due by a point in time the one queued first.
  ///
  /// Only what is committed counts, and nothing that stands behind an earlier entry about the same thing.
  private func candidate(_ time: Timestamp, committed: Int) -> Entry? {
    var first: Entry?
    if let summary = summaries.first, summary.number <= committed {
      if summary.row.notBefore <= time { return summary }
      first = summary
    }
    var waiting: Set<AlertSubject> = []
    for case let entry? in entries[head...] {
      guard entry.number <= committed else { break }
      guard waiting.insert(AlertSubject(entry.row.alert)).inserted else { continue }
      if entry.row.notBefore <= time { return entry }
      if entry.row.notBefore < first?.row.notBefore ?? Timestamp(milliseconds: .max) { first = entry }
    }
    return first
  }

  /// The entries that became too old or too many, none of them under way.
  func surplus(_ now: Timestamp) -> [Entry] {
    var surplus: [Entry] = []
    for case let entry? in entries[head...] where entry.row.alert.id != flight?.alert {
      let isOld = entry.row.queued + policy.maximumAge <= now
      guard isOld || count - surplus.count > policy.maximumQueued else { break }
      surplus.append(entry)
    }
    return surplus
  }

  /// All alerts that wait, none of them under way.
  var waiting: [Entry] { entries[head...].compactMap { $0 }.filter { $0.row.alert.id != flight?.alert } }

  /// When there is something to do next, if nothing else happens.
  func nextDue(committed: Int) -> Timestamp? {
    var due: Timestamp?
    func consider(_ time: Timestamp) { due = min(due ?? time, time) }
    if let flight {
      consider(flight.deadline)
    } else {
      let earliest = Timestamp(milliseconds: .min)
      // Nothing begins before what began last; with that bound the search ends at the first entry that is due.
      let start = max(pausedUntil ?? earliest, nextStart ?? starts.last ?? earliest)
      if let entry = candidate(start, committed: committed) { consider(max(start, entry.row.notBefore)) }
    }
    for case let entry? in entries[head...] where entry.row.alert.id != flight?.alert {
      consider(entry.row.queued + policy.maximumAge)
      break
    }
    if let end = held.nextEnd { consider(end) }
    return due
  }

  /// Moves all times, after the clock was set back.
  mutating func shift(by span: Milliseconds) {
    pausedUntil = pausedUntil.map { $0 + span }
    starts = starts.map { $0 + span }
    if let deadline = flight?.deadline { flight?.deadline = deadline + span }
    for index in entries.indices {
      guard var entry = entries[index] else { continue }
      entry.row.notBefore = entry.row.notBefore + span
      entry.row.queued = entry.row.queued + span
      entries[index] = entry
    }
    for index in summaries.indices {
      summaries[index].row.notBefore = summaries[index].row.notBefore + span
    }
  }
}
