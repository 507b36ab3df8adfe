import Testing

@testable import Pipeline

@Suite("Outbox with a channel that is down")
struct OutboxOutageTests {
  private let plain = DeliveryPolicy()
  private let hour: Int64 = 3_600_000

  /// Whether a delivery is to the phone while that is down, for the first hour.
  private func phoneIsDown(_ delivery: Delivery, _ now: Timestamp) -> DeliveryOutcome? {
    delivery.channel == "phone" && now.milliseconds < hour
      ? .retry(after: nil, reason: "refused") : .delivered
  }

  @Test("A channel that is down for an hour delays no other, and floods nobody when it is back")
  func hourDown() {
    var policy = plain
    policy.maximumAge = .minutes(10)
    policy.pace = DeliveryPace(1, per: .seconds(1))
    var simulation = DeliverySimulation([("phone", policy), ("screen", plain)])
    simulation.answer = phoneIsDown
    for index in 0..<360 {
      simulation.enqueue("\(index)", to: "phone", "screen")
      simulation.advance(.seconds(10))
    }
    simulation.advance(.minutes(10))

    // The screen got each at its own time.
    let screen = simulation.attempts.filter { $0.channel == "screen" }
    #expect(screen.map(\.time) == (0..<360).map { $0 * 10_000 })
    // The phone was tried a few times and not hammered.
    let phone = simulation.attempts.filter { $0.channel == "phone" }
    #expect(phone.filter { $0.time < hour }.count < 60)
    // Then came one summary first, and what was still young, once each and in order.
    let after = phone.filter { $0.time >= hour }
    let summaries = zip(simulation.attempts, simulation.texts).filter { attempt, text in
      attempt.time >= hour && text.contains("could not be delivered in time")
    }
    #expect(summaries.count == 1)
    #expect(after.first?.alert == summaries.first?.0.alert)
    let alerts = after.dropFirst().compactMap { Int($0.alert) }
    #expect(alerts.count <= 60 && alerts.count > 20)
    #expect(alerts == Array((360 - alerts.count)..<360))
    for (earlier, later) in zip(after, after.dropFirst()) { #expect(later.time - earlier.time >= 1_000) }
    // Each alert is accounted for.
    let expired = simulation.settled.filter { $0.outcome == .expired }
    #expect(expired.count + alerts.count == 360)
    #expect(summaries.first?.1.hasPrefix("\(expired.count) alerts could not be delivered in time") == true)
    #expect(simulation.stored.isEmpty)
    // And the host was told once each way.
    #expect(simulation.health.map(\.channel) == ["phone", "phone"])
    #expect(simulation.health.map(\.failure) == ["refused", nil])
  }

  @Test("A restart during the outage keeps the one summary")
  func restartWhileDown() {
    var policy = plain
    policy.maximumAge = .minutes(10)
    var simulation = DeliverySimulation([("phone", policy)])
    simulation.answer = phoneIsDown
    for index in 0..<180 {
      simulation.enqueue("\(index)", to: "phone")
      simulation.advance(.seconds(10))
    }
    let rows = simulation.order.compactMap { simulation.stored[$0] }
    var second = DeliverySimulation([("phone", policy)], seed: 2)
    second.now = simulation.now
    second.answer = phoneIsDown
    second.stored = simulation.stored
    second.order = simulation.order
    second.outbox.restore(rows, now: second.now)
    second.advance(to: Timestamp(milliseconds: hour + 600_000))
    let after = zip(second.attempts, second.texts).filter { $0.0.time >= hour }
    #expect(after.map(\.1.first) == ["1"])
    #expect(after.first?.1.hasPrefix("180 alerts could not be delivered in time") == true)
    #expect(second.stored.isEmpty)
  }

  @Test("The summary of a single alert speaks of one")
  func singleSummary() {
    var policy = plain
    policy.maximumAge = .minutes(1)
    var simulation = DeliverySimulation([("phone", policy)])
    simulation.answer = phoneIsDown
    simulation.enqueue("1", to: "phone")
    simulation.advance(to: Timestamp(milliseconds: hour + 600_000))
    #expect(
      simulation.texts.last
        == "1 alert could not be delivered in time and expired, from 1970-01-01T00:00:00.000Z")
    #expect(simulation.settled.map(\.outcome) == [.expired, .delivered])
  }

  @Test("With a fallback, alerts of a channel that is down go there within seconds, and it is still probed")
  func fallback() {
    var simulation = DeliverySimulation([("phone", DeliveryPolicy(fallback: "screen")), ("screen", plain)])
    simulation.answer = phoneIsDown
    for index in 0..<400 {
      simulation.enqueue("\(index)", to: "phone")
      simulation.advance(.seconds(10))
    }
    simulation.advance(.minutes(10))
    let told = simulation.delivered("screen") + simulation.delivered("phone")
    #expect(told.count == 400)
    #expect(Set(told).count == 400)
    #expect(Set(simulation.delivered("phone")).isSuperset(of: ["398", "399"]))
    let screen = simulation.attempts.filter { $0.channel == "screen" }
    #expect(Set(screen.map(\.id)).count == screen.count)
    for attempt in screen.dropFirst(3) {
      #expect(attempt.time - (Int64(attempt.alert) ?? 0) * 10_000 <= 10_000)
    }
    #expect(simulation.attempts.filter { $0.channel == "phone" && $0.time < hour }.count < 100)
    #expect(!simulation.settled.contains { $0.outcome == .expired })
    #expect(simulation.stored.isEmpty)
  }

  @Test("A refused alert goes to the fallback, and is a dead letter of the first channel")
  func refusedFallback() {
    var simulation = DeliverySimulation([("phone", DeliveryPolicy(fallback: "screen")), ("screen", plain)])
    simulation.answer = { delivery, _ in
      delivery.channel == "phone" ? .failed(reason: "401 Unauthorized") : .delivered
    }
    simulation.enqueue("1", to: "phone")
    #expect(simulation.attempts.map(\.id) == ["1-phone", "1-screen"])
    #expect(simulation.settled.map(\.outcome) == [.failed(reason: "401 Unauthorized"), .delivered])
  }

  @Test("Fallbacks that lead in a circle end, wherever they began", arguments: ["a", "b", "c"])
  func circle(first: String) {
    var simulation = DeliverySimulation([
      ("a", DeliveryPolicy(fallback: "b")), ("b", DeliveryPolicy(fallback: "c")),
      ("c", DeliveryPolicy(fallback: "a")),
    ])
    simulation.answer = { _, _ in .failed(reason: "no") }
    simulation.enqueue("1", to: first)
    simulation.advance(.minutes(60))
    #expect(simulation.attempts.map(\.channel).sorted() == ["a", "b", "c"])
    #expect(simulation.attempts.first?.channel == first)
    #expect(simulation.stored.isEmpty)
  }

  @Test("An alert to a channel and to its fallback comes once to each")
  func fallbackTwice() {
    var simulation = DeliverySimulation([("phone", DeliveryPolicy(fallback: "screen")), ("screen", plain)])
    var isWaiting = true
    simulation.answer = { delivery, _ in
      if delivery.channel == "phone" { return .failed(reason: "no") }
      return isWaiting ? nil : .delivered
    }
    simulation.enqueue("1", to: "screen", "phone")
    isWaiting = false
    simulation.advance(.minutes(10))
    #expect(simulation.settled.filter { $0.key.channel == "screen" }.map(\.outcome) == [.delivered])
  }

  @Test("A queue beyond its bound counts its oldest in the summary")
  func bounded() {
    var policy = plain
    policy.maximumQueued = 10
    var simulation = DeliverySimulation([("phone", policy)])
    simulation.answer = phoneIsDown
    for index in 0..<50 { simulation.enqueue("\(index)", to: "phone") }
    #expect(simulation.outbox.queued(for: "phone") <= 11)
    simulation.now = Timestamp(milliseconds: hour - 1_000)
    #expect(simulation.settled.filter { $0.outcome == .expired }.count >= 39)
  }

  @Test("Whatever happens, each alert ends in one way and the outbox never asks in vain", arguments: 0..<60)
  func random(seed: Int) {
    var state = UInt64(seed)
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    var quick = plain
    quick.maximumAge = .minutes(3)
    quick.maximumQueued = 20
    quick.maximumAttempts = 6
    quick.fallback = seed.isMultiple(of: 2) ? "b" : nil
    var paced = plain
    paced.pace = DeliveryPace(1, per: .seconds(3))
    paced.maximumAge = .minutes(5)
    paced.fallback = seed.isMultiple(of: 3) ? "a" : nil
    var outbox = Outbox(channels: [("a", quick), ("b", paced)], seed: UInt64(seed))
    var now = Timestamp(milliseconds: 0)
    var flying: [Delivery] = []
    var stored: [DeliveryKey: OutboxRow] = [:]
    var ends: [DeliveryKey: Int] = [:]
    var enqueued = 0
    var started: Set<DeliveryKey> = []
    func commit() {
      let changes = outbox.takeChanges()
      for row in changes.rows { stored[row.deliveryKey] = row }
      for row in changes.settled {
        #expect(stored.removeValue(forKey: row.key) != nil)
        ends[row.key, default: 0] += 1
      }
      outbox.committed(changes.number)
    }
    for step in 0..<600 {
      if step < 400 && next(3) == 0 {
        let alert = Alert(
          id: "\(enqueued)", name: "r", script: "s", key: "\(next(5))", text: "t", time: now)
        outbox.enqueue(alert, to: next(2) == 0 ? ["a"] : ["a", "b"], now: now)
        enqueued += 1
      }
      if next(3) > 0 { commit() }
      for delivery in outbox.deliveries(now: now) {
        let key = DeliveryKey(alert: delivery.alert.id, channel: delivery.channel)
        #expect(stored[key] != nil || ends[key] == nil)
        #expect(
          !flying.contains { $0.channel == delivery.channel } || delivery.attempt > 1 || started.contains(key)
        )
        started.insert(key)
        flying.removeAll { $0.channel == delivery.channel }
        flying.append(delivery)
      }
      if let due = outbox.nextDue { #expect(due > now) }
      if !flying.isEmpty, next(4) > 0 {
        let delivery = flying.remove(at: Int(next(UInt64(flying.count))))
        let outcome: DeliveryOutcome =
          switch step < 400 ? next(6) : 0 {
          case 0, 1: .delivered
          case 2: .failed(reason: "no")
          case 3: .retry(after: .seconds(Int64(next(20))), reason: "429")
          default: .retry(after: nil, reason: "500")
          }
        outbox.outcome(outcome, of: delivery, now: now)
      }
      now = now + Milliseconds(Int64(next(4_000)))
    }
    for _ in 0..<2_000 {
      commit()
      for delivery in outbox.deliveries(now: now) { outbox.outcome(.delivered, of: delivery, now: now) }
      commit()
      guard let due = outbox.nextDue else { break }
      now = max(due, now)
    }
    #expect(stored.isEmpty)
    #expect(outbox.nextDue == nil)
    #expect(ends.values.allSatisfy { $0 == 1 })
    #expect(ends.keys.filter { Int($0.alert) != nil && $0.channel == "a" }.count == enqueued)
  }
}
