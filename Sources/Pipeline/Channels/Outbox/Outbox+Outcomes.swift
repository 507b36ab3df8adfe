/// What follows from the outcome of an attempt.
extension Outbox {
  /// A wait that a receiver asks for counts up to this; longer ones would silence a channel for good.
  private static let longestAskedWait = Milliseconds.minutes(24 * 60)

  mutating func delivered(_ place: Int, _ flight: DeliveryLane.Flight, _ now: Timestamp) {
    lanes[place].flight = nil
    lanes[place].failures = 0
    lanes[place].hasLost = false
    lanes[place].pausedUntil = nil
    if lanes[place].isDown {
      lanes[place].isDown = false
      healthChanges.append(ChannelHealthChange(channel: names[place], failure: nil, time: now))
    }
    guard var entry = lanes[place].remove(flight.alert) else { return }
    entry.row.attempt = flight.attempt
    settle(entry.row, .delivered, now)
  }

  /// An attempt failed in a way that may pass: the alert waits, and so does the channel.
  mutating func failed(
    _ place: Int, _ flight: DeliveryLane.Flight, after: Milliseconds?, reason: String, _ now: Timestamp
  ) {
    lanes[place].flight = nil
    countFailure(place, reason, now)
    let policy = lanes[place].policy
    let asked = min(max(after ?? .zero, .zero), Self.longestAskedWait)
    lanes[place].pausedUntil =
      now + max(asked, backoff.wait(afterFailures: lanes[place].failures, policy: policy))
    guard var row = lanes[place].entry(flight.alert)?.row else { return }
    row.attempt = flight.attempt
    if row.attempt >= policy.maximumAttempts, !lanes[place].isSummary(row.alert.id) {
      _ = lanes[place].remove(row.alert.id)
      giveUp(row, reason: "\(reason); given up after \(row.attempt) attempts", now)
    } else {
      row.notBefore = now + max(asked, backoff.wait(afterFailures: row.attempt, policy: policy))
      lanes[place].update(row)
      changes.rows.append(row)
    }
  }

  /// An attempt failed in a way that won't pass; the channel itself did answer and goes on.
  mutating func refused(
    _ place: Int, _ flight: DeliveryLane.Flight, reason: String, _ now: Timestamp
  ) {
    lanes[place].flight = nil
    lanes[place].pausedUntil = nil
    countFailure(place, reason, now)
    guard var entry = lanes[place].remove(flight.alert) else { return }
    entry.row.attempt = flight.attempt
    giveUp(entry.row, reason: reason, now)
  }

  /// Counts the deliveries that became too old or too many in the channel's summary.
  mutating func expire(_ place: Int, _ now: Timestamp) {
    let surplus = lanes[place].surplus(now)
    guard let first = surplus.first else { return }
    for entry in surplus {
      _ = lanes[place].remove(entry.row.alert.id)
      settle(entry.row, .expired, now)
    }
    let alerts = surplus.map(\.row.alert)
    if let summary = lanes[place].extendSummary(with: alerts, now: now) {
      changes.rows.removeAll { $0.deliveryKey == summary.deliveryKey }
      changes.rows.append(summary)
      return
    }
    let begun = ExpiredSummary.begun(with: first.row.alert, channel: names[place], now: now)
    let alert = ExpiredSummary.extended(begun, with: alerts, now: now)
    let row = OutboxRow(alert: alert, channel: names[place], queued: now)
    lanes[place].append(summary: DeliveryLane.Entry(row: row, number: changes.number))
    ways[alert.id] = Way(channels: [names[place]], open: 1)
    changes.rows.append(row)
  }

  /// Hands all that waits for a channel which is down to its fallback, if it has one.
  mutating func divert(_ place: Int, _ now: Timestamp) {
    guard lanes[place].policy.fallback != nil else { return }
    for entry in lanes[place].waiting {
      guard let fallback = fallback(for: entry.row, now) else { continue }
      _ = lanes[place].remove(entry.row.alert.id)
      queue(OutboxRow(alert: entry.row.alert, channel: fallback, origin: entry.row.origin, queued: now))
      settle(entry.row, .replaced(by: fallback), now)
    }
  }

  mutating func settle(_ row: OutboxRow, _ outcome: SettledRow.Outcome, _ now: Timestamp) {
    changes.settled.append(
      SettledRow(key: row.deliveryKey, outcome: outcome, attempt: row.attempt, time: now))
    guard var way = ways[row.alert.id] else { return }
    way.open -= 1
    ways[row.alert.id] = way.open > 0 ? way : nil
  }

  private mutating func giveUp(_ row: OutboxRow, reason: String, _ now: Timestamp) {
    if let fallback = fallback(for: row, now) {
      queue(OutboxRow(alert: row.alert, channel: fallback, origin: row.origin, queued: now))
    } else {
      lose(row, reason, now)
    }
    settle(row, .failed(reason: reason), now)
  }

  private mutating func lose(_ row: OutboxRow, _ reason: String, _ now: Timestamp) {
    // An alert about lost ones that is lost itself would only go round in circles.
    let isOwn = row.alert.script == "host" && row.alert.name == HostAlert.alertGivenUp.rawValue
    guard let place = places[row.channel], !lanes[place].hasLost, !isOwn else { return }
    lanes[place].hasLost = true
    losses.append(LostDelivery(alert: row.alert, channel: row.channel, reason: reason, time: now))
  }

  private mutating func countFailure(_ place: Int, _ reason: String, _ now: Timestamp) {
    lanes[place].failures += 1
    guard !lanes[place].isDown, lanes[place].failures >= lanes[place].policy.downAfter else { return }
    lanes[place].isDown = true
    healthChanges.append(ChannelHealthChange(channel: names[place], failure: reason, time: now))
  }

  /// The next channel for a row, past those that are down themselves; nil where there is none that the alert
  /// hasn't been at.
  ///
  /// The way from the row's first channel to here is not gone again. After a restart that is all there is to
  /// know about where the alert has been.
  private func fallback(for row: OutboxRow, _ now: Timestamp) -> String? {
    var passed: Set<String> = [row.channel]
    var channel = row.origin
    while channel != row.channel, passed.insert(channel).inserted, let next = policy(channel)?.fallback {
      channel = next
    }
    var candidate = policy(row.channel)?.fallback
    var found: String?
    while let name = candidate, let place = places[name], passed.insert(name).inserted,
      !hasBeen(row.alert.id, at: name)
    {
      found = name
      guard lanes[place].isOut(now) else { break }
      candidate = lanes[place].policy.fallback
    }
    return found
  }

  private func policy(_ channel: String) -> DeliveryPolicy? { places[channel].map { lanes[$0].policy } }
}
