/// Decides which alert goes to which channel and when: what is queued, retried, paced, replaced or given up.
///
/// It does no input or output and knows no clock. Its owner tells it what happened and asks what to do:
///
/// 1. ``enqueue(_:to:now:bypassingStorage:)`` takes alerts in.
/// 2. ``takeChanges()`` gives what to store with the next commit; ``committed(_:)`` says that it is durable.
///    No alert leaves before.
/// 3. ``deliveries(now:)`` gives the attempts to start now, one at a time for each channel, and
///    ``outcome(_:of:now:)`` takes what became of one. ``nextDue`` says when to ask again.
///
/// Channels don't wait for each other. A channel that fails is tried again with one alert at a time, after
/// waits with full jitter and never earlier than its receiver asked for. After a restart, ``restore(_:now:)``
/// takes the stored rows, which go again under the same ids.
package struct Outbox: Sendable {
  var lanes: [DeliveryLane] = []
  var names: [String] = []
  var places: [String: Int] = [:]
  var backoff: JitteredBackoff
  var changes = OutboxChanges(number: 1)
  var healthChanges: [ChannelHealthChange] = []
  var losses: [LostDelivery] = []
  /// Where each alert has been queued so far, for as long as one of its deliveries waits.
  var ways: [String: Way] = [:]
  /// The silences that have not ended.
  var silences: [Silence] = []
  /// The orders to send again that are fulfilled and not yet off the list.
  var resent: Set<Int64> = []
  private var ordersVersion = 0
  private var committedNumber = 0
  private var clock: Timestamp?

  /// The channels that an alert was queued for, and how many of its deliveries have not ended.
  struct Way: Sendable {
    var channels: Set<String> = []
    var open = 0
  }

  /// Makes an empty outbox for channels by name; the seed is for the jitter of waits.
  package init(channels: [(name: String, policy: DeliveryPolicy)], seed: UInt64) {
    backoff = JitteredBackoff(seed: seed)
    for (name, policy) in channels where places[name] == nil {
      places[name] = lanes.count
      names.append(name)
      lanes.append(DeliveryLane(policy: policy))
    }
  }

  /// How many alerts wait for a channel, the one under way included.
  package func queued(for channel: String) -> Int { places[channel].map { lanes[$0].count } ?? 0 }

  /// How many alerts are held back from all channels together.
  package var heldCount: Int { lanes.reduce(0) { $0 + $1.held.count } }

  /// How many alerts wait for all channels together, those under way included and those held back not.
  package var openCount: Int { lanes.indices.reduce(0) { $0 + lanes[$1].count } }

  /// When the alert that has waited longest was queued, nil if none waits.
  package var oldest: Timestamp? { lanes.compactMap(\.oldest).min() }

  /// The names of the channels that are down.
  package var downChannels: [String] { lanes.indices.filter { lanes[$0].isDown }.map { names[$0] } }

  /// Whether there are deliveries to store, which a commit should not keep waiting.
  package var wantsCommit: Bool { !changes.rows.isEmpty }

  /// Takes the rows that a former run left queued, in their order.
  package mutating func restore(_ rows: [OutboxRow], now: Timestamp) {
    advance(to: now)
    for row in rows {
      ways[row.alert.id, default: Way()].channels.insert(row.channel)
      ways[row.alert.id]?.open += 1
      guard let place = places[row.channel] else {
        settle(row, .failed(reason: "there is no channel '\(row.channel)' any more"), now)
        continue
      }
      let entry = DeliveryLane.Entry(row: row, number: 0)
      if row.heldUntil != nil || row.isSilenced {
        lanes[place].held.append(entry)
      } else if ExpiredSummary.isSummary(row) {
        lanes[place].append(summary: entry)
      } else {
        _ = lanes[place].append(entry)
      }
    }
  }

  /// Queues an alert for some channels; one that is queued already is not queued twice.
  ///
  /// With `hold` it waits for the end of these hours if it comes within them, and goes with their digest. With
  /// `bypassingStorage` it leaves without waiting for a commit and before the others, which is for alerts about
  /// the storage.
  package mutating func enqueue(
    _ alert: Alert, to channels: [String], hold: DailyHours? = nil, now: Timestamp,
    bypassingStorage: Bool = false
  ) {
    advance(to: now)
    for channel in channels {
      var row = OutboxRow(alert: alert, channel: channel, queued: now)
      guard let place = places[channel] else {
        changes.rows.append(row)
        settle(row, .failed(reason: "there is no channel '\(channel)'"), now)
        continue
      }
      if !lanes[place].policy.isToldAtOnce { row.hold = hold }
      if bypassingStorage || !holdBack(row, now) { queue(row, bypassingStorage: bypassingStorage) }
    }
  }

  /// Takes note of what users ask for; the same orders a second time change nothing.
  package mutating func follow(_ orders: StandingOrders, now: Timestamp) {
    guard orders.version != ordersVersion else { return }
    ordersVersion = orders.version
    advance(to: now)
    silences = orders.silences.filter { $0.ends > now }
    resent.formIntersection(orders.resends.map(\.number))
    for resend in orders.resends where resent.insert(resend.number).inserted {
      changes.resent.append(resend.number)
      sendAgain(resend, now)
    }
    silenceWaiting(now)
    release(now)
  }

  /// Gives what to store with the next commit and begins to gather for the one after.
  package mutating func takeChanges() -> OutboxChanges {
    let taken = changes
    changes = OutboxChanges(number: taken.number + 1)
    return taken
  }

  /// Takes note that the changes of a number, and all before, are durable.
  package mutating func committed(_ number: Int) { committedNumber = max(committedNumber, number) }

  /// Does what time alone brings about: attempts without an answer fail, what is too old expires, what was held
  /// back is let go.
  ///
  /// To be called before changes are taken, so that what comes of it is stored without waiting for something else.
  package mutating func settleDue(now: Timestamp) {
    advance(to: now)
    release(now)
    for place in lanes.indices {
      if let flight = lanes[place].flight, flight.deadline <= now {
        let seconds = lanes[place].policy.timeout.count / 1_000
        failed(place, flight, after: nil, reason: "no answer within \(seconds) s", now)
      }
      expire(place, now)
      if lanes[place].isOut(now) { divert(place, now) }
    }
  }

  /// The attempts to start now; each one's outcome is to be told.
  package mutating func deliveries(now: Timestamp) -> [Delivery] {
    settleDue(now: now)
    var deliveries: [Delivery] = []
    for place in lanes.indices {
      guard let entry = lanes[place].next(now, committed: committedNumber) else { continue }
      let attempt = entry.row.attempt + 1
      lanes[place].flight = DeliveryLane.Flight(
        alert: entry.row.alert.id, attempt: attempt, deadline: now + lanes[place].policy.timeout)
      lanes[place].started(now)
      deliveries.append(
        Delivery(alert: entry.row.alert, channel: names[place], id: entry.row.id, attempt: attempt))
    }
    return deliveries
  }

  /// Takes what became of an attempt; one that comes too late still counts if it says delivered.
  package mutating func outcome(_ outcome: DeliveryOutcome, of delivery: Delivery, now: Timestamp) {
    advance(to: now)
    guard let place = places[delivery.channel] else { return }
    guard let flight = lanes[place].flight, flight.alert == delivery.alert.id,
      flight.attempt == delivery.attempt
    else {
      if outcome == .delivered, lanes[place].flight?.alert != delivery.alert.id,
        let entry = lanes[place].remove(delivery.alert.id)
      {
        settle(entry.row, .delivered, now)
      }
      return
    }
    switch outcome {
    case .delivered: delivered(place, flight, now)
    case .retry(let after, let reason): failed(place, flight, after: after, reason: reason, now)
    case .failed(let reason): refused(place, flight, reason: reason, now)
    }
  }

  /// When to ask for deliveries again if nothing else happens, nil if there is nothing to wait for.
  package var nextDue: Timestamp? {
    // In their place, since lanes are large and asked several times a turn: taken out of the array they are copied.
    lanes.withUnsafeBufferPointer { lanes in
      var due: Timestamp?
      var hasSilenced = false
      for place in lanes.indices where !lanes[place].isEmpty {
        if let other = lanes[place].nextDue(committed: committedNumber) { due = min(due ?? other, other) }
        if lanes[place].held.hasSilenced { hasSilenced = true }
      }
      guard hasSilenced else { return due }
      for silence in silences { due = min(due ?? silence.ends, silence.ends) }
      return due
    }
  }

  /// Which channels went down or came back since the last call.
  package mutating func takeHealthChanges() -> [ChannelHealthChange] {
    defer { healthChanges = [] }
    return healthChanges
  }

  /// Which alerts became dead letters since the last call, of each channel the first since it delivered anything.
  package mutating func takeLosses() -> [LostDelivery] {
    defer { losses = [] }
    return losses
  }

  /// Queues a row in its channel's lane, unless its alert has been there already.
  mutating func queue(_ row: OutboxRow, bypassingStorage: Bool = false) {
    guard let place = places[row.channel], !hasBeen(row.alert.id, at: row.channel) else { return }
    let entry = DeliveryLane.Entry(row: row, number: bypassingStorage ? 0 : changes.number)
    guard lanes[place].append(entry, ahead: bypassingStorage) else { return }
    ways[row.alert.id, default: Way()].channels.insert(row.channel)
    ways[row.alert.id]?.open += 1
    changes.rows.append(row)
  }

  /// Whether an alert was queued for a channel before, as far as one of its deliveries still waits.
  func hasBeen(_ alert: String, at channel: String) -> Bool {
    ways[alert]?.channels.contains(channel) ?? false
  }

  /// Follows the clock; where it was set back all waits move with it, so that none grows by the step.
  mutating func advance(to now: Timestamp) {
    if let clock, now < clock {
      for place in lanes.indices { lanes[place].shift(by: now - clock) }
    }
    clock = now
  }
}
