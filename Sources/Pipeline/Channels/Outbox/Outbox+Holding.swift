/// What is held back: by the hours of a route, until their digest, and by the silences of users.
///
/// A silenced alert is over at once, unless it begins an episode whose end would be told: that one waits, and is told
/// when the silence ends before the episode does. The end of an episode is told to whom its beginning was told,
/// silence or not; where the beginning was held back, its end stays with it.
extension Outbox {
  /// The most episodes of one channel that wait for the ends of silences; the oldest are not told at all.
  private static let silencedBound = 10_000

  /// Keeps a new row back if a route or a silence asks for it; false if it is to leave as usual.
  mutating func holdBack(_ row: OutboxRow, _ now: Timestamp) -> Bool {
    guard let place = places[row.channel], !hasBeen(row.alert.id, at: row.channel) else { return false }
    let subject = AlertSubject(row.alert)
    if row.alert.kind == .resolved {
      let begun = lanes[place].held.take { $0.isSilenced && AlertSubject($0.alert) == subject }
      if !begun.isEmpty {
        note(row)
        for row in begun.map(\.row) + [row] { settle(row, .silenced, now) }
        return true
      }
    }
    if silences.contains(where: { $0.covers(row.alert, at: now) }) {
      note(row)
      silence(row, place, now)
      return true
    }
    guard let hold = row.hold, hold.contains(now) else { return false }
    var row = row
    row.heldUntil = hold.end(after: now)
    note(row)
    keep(row, place, now)
    return true
  }

  /// Silences what waits already and is not under way, each episode as a whole.
  mutating func silenceWaiting(_ now: Timestamp) {
    guard !silences.isEmpty else { return }
    for place in lanes.indices {
      let waiting = (lanes[place].waiting + lanes[place].held.entries).map(\.row)
      var ended: Set<String> = []
      for (index, row) in waiting.enumerated() where !row.isSilenced {
        guard silences.contains(where: { $0.covers(row.alert, at: now) }) else { continue }
        takeOut(row, place)
        let end = waiting[(index + 1)...].first {
          $0.alert.kind == .resolved && AlertSubject($0.alert) == AlertSubject(row.alert)
            && !ended.contains($0.alert.id)
        }
        guard row.alert.kind == .firing, let end else {
          silence(row, place, now)
          continue
        }
        ended.insert(end.alert.id)
        takeOut(end, place)
        for row in [row, end] { settle(row, .silenced, now) }
      }
    }
  }

  private mutating func takeOut(_ row: OutboxRow, _ place: Int) {
    if lanes[place].remove(row.alert.id) == nil { _ = lanes[place].held.take { $0.alert.id == row.alert.id } }
  }

  /// Lets go what nothing holds back any more.
  mutating func release(_ now: Timestamp) {
    silences.removeAll { $0.ends <= now }
    for place in lanes.indices where lanes[place].held.count > 0 {
      let told = lanes[place].held.take { row in
        row.isSilenced && !silences.contains { $0.covers(row.alert, at: now) }
      }
      for entry in told { unsilence(entry.row, place, now) }
      let due = lanes[place].held.take { $0.heldUntil.map { $0 <= now } ?? false }
      if !due.isEmpty { digest(due.map(\.row), place, now) }
    }
  }

  /// Queues a dead letter again, whatever channels it has been at.
  mutating func sendAgain(_ resend: StandingOrders.Resend, _ now: Timestamp) {
    guard let place = places[resend.channel] else { return }
    let row = OutboxRow(alert: resend.alert, channel: resend.channel, queued: now)
    guard lanes[place].append(DeliveryLane.Entry(row: row, number: changes.number)) else { return }
    note(row)
  }

  private mutating func silence(_ row: OutboxRow, _ place: Int, _ now: Timestamp) {
    guard row.alert.kind == .firing, row.alert.lasts else { return settle(row, .silenced, now) }
    var row = row
    row.isSilenced = true
    row.heldUntil = nil
    changes.rows.append(row)
    lanes[place].held.append(DeliveryLane.Entry(row: row, number: changes.number))
    let surplus = lanes[place].held.surplus(beyond: Self.silencedBound, where: \.isSilenced)
    for entry in surplus { settle(entry.row, .silenced, now) }
  }

  private mutating func unsilence(_ row: OutboxRow, _ place: Int, _ now: Timestamp) {
    var row = row
    row.isSilenced = false
    row.alert.text += " (since \(row.alert.time.rfc3339(fraction: false)), silenced until now)"
    row.queued = now
    row.notBefore = now
    if let hold = row.hold, hold.contains(now) {
      row.heldUntil = hold.end(after: now)
      return keep(row, place, now)
    }
    changes.rows.append(row)
    _ = lanes[place].append(DeliveryLane.Entry(row: row, number: changes.number))
  }

  private mutating func keep(_ row: OutboxRow, _ place: Int, _ now: Timestamp) {
    changes.rows.append(row)
    lanes[place].held.append(DeliveryLane.Entry(row: row, number: changes.number))
    let surplus = lanes[place].held.surplus(beyond: HeldDeliveries.digestBound) { $0.heldUntil != nil }
    guard !surplus.isEmpty else { return }
    for entry in surplus {
      let end = entry.row.heldUntil ?? now
      settle(entry.row, .digested(in: HeldDigest.id(channel: names[place], end: end)), now)
    }
    if let carrier = lanes[place].held.omit(surplus.reduce(surplus.count) { $0 + $1.row.omitted }) {
      changes.rows.append(carrier)
    }
  }

  private mutating func digest(_ rows: [OutboxRow], _ place: Int, _ now: Timestamp) {
    let alert = HeldDigest.alert(of: rows, channel: names[place], now: now)
    let row = OutboxRow(alert: alert, channel: names[place], queued: now)
    if lanes[place].append(DeliveryLane.Entry(row: row, number: changes.number)) { note(row) }
    for row in rows { settle(row, .digested(in: alert.id), now) }
  }

  /// Takes note of a new row, to be stored and to be known by.
  private mutating func note(_ row: OutboxRow) {
    ways[row.alert.id, default: Way()].channels.insert(row.channel)
    ways[row.alert.id]?.open += 1
    changes.rows.append(row)
  }
}
