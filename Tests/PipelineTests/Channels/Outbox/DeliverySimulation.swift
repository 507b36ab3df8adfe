@testable import Pipeline

/// An outbox in virtual time, with channels that answer as a test says and a storage that commits at once.
struct DeliverySimulation {
  /// What happened, in order.
  struct Attempt: Hashable {
    var time: Int64
    var channel: String
    var alert: String
    var attempt: Int
    var id: String
  }

  var outbox: Outbox
  var now = Timestamp(milliseconds: 0)
  /// How a channel answers an attempt at some time; delivered if nil.
  var answer: (Delivery, Timestamp) -> DeliveryOutcome? = { _, _ in .delivered }
  var attempts: [Attempt] = []
  var texts: [String] = []
  var settled: [SettledRow] = []
  var stored: [DeliveryKey: OutboxRow] = [:]
  var order: [DeliveryKey] = []
  var health: [ChannelHealthChange] = []
  var commits = true

  init(_ channels: [(name: String, policy: DeliveryPolicy)], seed: UInt64 = 1) {
    outbox = Outbox(channels: channels, seed: seed)
  }

  mutating func enqueue(_ id: String, to channels: String..., key: String? = nil) {
    outbox.enqueue(alert(id, key: key), to: channels, now: now)
    work()
  }

  func alert(_ id: String, key: String? = nil) -> Alert {
    Alert(id: id, name: "rule", script: "s", key: key ?? id, text: "alert \(id)", time: now)
  }

  /// Commits and delivers until there is nothing to do at this time.
  mutating func work() {
    while true {
      if commits { commit() }
      let deliveries = outbox.deliveries(now: now)
      if deliveries.isEmpty && (!commits || !outbox.wantsCommit) { break }
      for delivery in deliveries {
        attempts.append(
          Attempt(
            time: now.milliseconds, channel: delivery.channel, alert: delivery.alert.id,
            attempt: delivery.attempt, id: delivery.id))
        texts.append(delivery.alert.text)
        if let outcome = answer(delivery, now) { outbox.outcome(outcome, of: delivery, now: now) }
      }
    }
    commit()
    health += outbox.takeHealthChanges()
  }

  /// Stores what the outbox wants stored; without `commits` only the end of deliveries is looked at.
  private mutating func commit() {
    guard commits else { return }
    let changes = outbox.takeChanges()
    for row in changes.rows {
      if stored.updateValue(row, forKey: row.deliveryKey) == nil { order.append(row.deliveryKey) }
    }
    for row in changes.settled {
      stored[row.key] = nil
      settled.append(row)
    }
    outbox.committed(changes.number)
  }

  /// Moves time forward, stopping wherever the outbox has something due.
  mutating func advance(to end: Timestamp) {
    var steps = 0
    while let due = outbox.nextDue, due <= end {
      precondition(due > now || steps < 1_000_000, "the outbox asks for the same time again and again")
      now = max(now, due)
      work()
      steps += 1
    }
    now = end
    work()
  }

  mutating func advance(_ span: Milliseconds) { advance(to: now + span) }

  /// What was delivered, by channel.
  func delivered(_ channel: String) -> [String] {
    settled.filter { $0.key.channel == channel && $0.outcome == .delivered }.map(\.key.alert)
  }
}
