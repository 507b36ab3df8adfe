import Testing

@testable import Pipeline

@Suite("Outbox")
struct OutboxTests {
  private let plain = DeliveryPolicy()

  @Test("An alert leaves for each of its channels, once, under its id and the channel")
  func plainDelivery() {
    var simulation = DeliverySimulation([("screen", plain), ("phone", plain)])
    simulation.enqueue("1", to: "screen", "phone")
    simulation.advance(.minutes(60))
    #expect(simulation.attempts.map(\.id) == ["1-screen", "1-phone"])
    #expect(simulation.settled.map(\.outcome) == [.delivered, .delivered])
    #expect(simulation.settled.map(\.attempt) == [1, 1])
    #expect(simulation.stored.isEmpty)
    #expect(simulation.outbox.nextDue == nil)
  }

  @Test("Nothing leaves before the commit that holds its row")
  func commitFirst() {
    var outbox = Outbox(channels: [("screen", plain)], seed: 1)
    let now = Timestamp(milliseconds: 0)
    outbox.enqueue(.sample("1"), to: ["screen"], now: now)
    #expect(outbox.wantsCommit)
    #expect(outbox.deliveries(now: now) == [])
    let first = outbox.takeChanges()
    #expect(first.rows.map(\.id) == ["1-screen"])
    outbox.enqueue(.sample("2"), to: ["screen"], now: now)
    #expect(outbox.deliveries(now: now) == [])
    #expect(outbox.nextDue == now + DeliveryPolicy().maximumAge)
    outbox.committed(first.number)
    let deliveries = outbox.deliveries(now: now)
    #expect(deliveries.map(\.id) == ["1-screen"])
    outbox.outcome(.delivered, of: deliveries[0], now: now)
    #expect(outbox.deliveries(now: now) == [])
    outbox.committed(outbox.takeChanges().number)
    #expect(outbox.deliveries(now: now).map(\.id) == ["2-screen"])
  }

  @Test("A later commit makes good for an earlier one that failed")
  func failedCommit() {
    var outbox = Outbox(channels: [("screen", plain)], seed: 1)
    let now = Timestamp(milliseconds: 0)
    outbox.enqueue(.sample("1"), to: ["screen"], now: now)
    _ = outbox.takeChanges()
    let second = outbox.takeChanges()
    #expect(second.isEmpty)
    outbox.committed(second.number)
    #expect(outbox.deliveries(now: now).map(\.id) == ["1-screen"])
  }

  @Test("An alert about the storage goes around it and before the others")
  func aroundStorage() {
    var outbox = Outbox(channels: [("screen", plain)], seed: 1)
    let now = Timestamp(milliseconds: 0)
    outbox.enqueue(.sample("1"), to: ["screen"], now: now)
    outbox.enqueue(.sample("storage"), to: ["screen"], now: now, bypassingStorage: true)
    #expect(outbox.deliveries(now: now).map(\.alert.id) == ["storage"])
  }

  @Test("An alert that is queued already is not queued twice")
  func twice() {
    var simulation = DeliverySimulation([("phone", plain)])
    simulation.answer = { _, _ in nil }
    simulation.enqueue("1", to: "phone")
    simulation.enqueue("1", to: "phone")
    #expect(simulation.outbox.queued(for: "phone") == 1)
    #expect(simulation.attempts.count == 1)
  }

  @Test("A channel delivers one alert at a time, and at its pace")
  func pace() {
    var slow = plain
    slow.pace = DeliveryPace(1, per: .seconds(2))
    var simulation = DeliverySimulation([("phone", slow)])
    for id in ["1", "2", "3"] { simulation.enqueue(id, to: "phone") }
    simulation.advance(.minutes(1))
    #expect(simulation.attempts.map(\.time) == [0, 2_000, 4_000])
    #expect(simulation.attempts.map(\.alert) == ["1", "2", "3"])
  }

  @Test(
    "Within each span of the pace no more deliveries begin than it allows, and bursts up to that go at once")
  func burst() {
    var policy = plain
    policy.pace = DeliveryPace(3, per: .seconds(10))
    var simulation = DeliverySimulation([("phone", policy)])
    simulation.enqueue("0", to: "phone")
    simulation.advance(.seconds(4))
    for id in 1...7 { simulation.enqueue("\(id)", to: "phone") }
    simulation.advance(.minutes(1))
    #expect(simulation.attempts.map(\.time) == [0, 4_000, 4_000, 10_000, 14_000, 14_000, 20_000, 24_000])
  }

  @Test("Retries wait at random below a bound that doubles up to its cap")
  func backoff() {
    for seed: UInt64 in 0..<50 {
      var policy = plain
      policy.maximumAttempts = 12
      policy.longestRetry = .seconds(60)
      var simulation = DeliverySimulation([("phone", policy)], seed: seed)
      simulation.answer = { _, _ in .retry(after: nil, reason: "500") }
      simulation.enqueue("1", to: "phone")
      simulation.advance(.minutes(59))
      let times = simulation.attempts.map(\.time)
      #expect(times.count == 12)
      for (failures, pair) in zip(times, times.dropFirst()).enumerated() {
        // The channel and the alert wait each for themselves, so the longer wait counts.
        let wait = pair.1 - pair.0
        #expect(wait >= 100 && wait <= min(1_000 << Int64(failures), 60_000))
      }
      #expect(
        simulation.settled.map(\.outcome) == [.failed(reason: "500; given up after 12 attempts")])
      #expect(simulation.attempts.map(\.attempt) == Array(1...12))
      #expect(Set(simulation.attempts.map(\.id)) == ["1-phone"])
    }
  }

  @Test("Different seeds wait differently, the same seed the same")
  func jitter() {
    func times(_ seed: UInt64) -> [Int64] {
      var simulation = DeliverySimulation([("phone", plain)], seed: seed)
      simulation.answer = { _, _ in .retry(after: nil, reason: "500") }
      simulation.enqueue("1", to: "phone")
      simulation.advance(.minutes(10))
      return simulation.attempts.map(\.time)
    }
    #expect(times(1) == times(1))
    #expect(times(1) != times(2))
  }

  @Test("The wait that a receiver asks for is kept by the whole channel, up to a day")
  func retryAfter() {
    var simulation = DeliverySimulation([("phone", plain)])
    simulation.answer = { delivery, now in
      now.milliseconds < 90_000 ? .retry(after: .seconds(90), reason: "429") : .delivered
    }
    simulation.enqueue("1", to: "phone")
    simulation.advance(.seconds(10))
    simulation.enqueue("2", to: "phone")
    simulation.advance(.minutes(5))
    #expect(simulation.attempts.map(\.time) == [0, 90_000, 90_000])

    var policy = plain
    policy.maximumAge = .minutes(10_000)
    simulation = DeliverySimulation([("phone", policy)])
    simulation.answer = { _, _ in .retry(after: Milliseconds(.max), reason: "429") }
    simulation.enqueue("1", to: "phone")
    simulation.advance(.minutes(24 * 60))
    #expect(simulation.attempts.map(\.time) == [0, 86_400_000])
  }

  @Test("What is refused for good is a dead letter at once, and the channel goes on")
  func refused() {
    var simulation = DeliverySimulation([("phone", plain)])
    simulation.answer = { delivery, _ in
      delivery.alert.id == "1" ? .failed(reason: "404 Not Found") : .delivered
    }
    simulation.enqueue("1", to: "phone")
    simulation.enqueue("2", to: "phone")
    #expect(simulation.settled.map(\.outcome) == [.failed(reason: "404 Not Found"), .delivered])
    #expect(simulation.attempts.map(\.time) == [0, 0])
  }

  @Test("One alert that always fails doesn't hold up the others")
  func poison() {
    var simulation = DeliverySimulation([("phone", plain)])
    simulation.answer = { delivery, _ in
      delivery.alert.id == "poison" ? .retry(after: nil, reason: "500") : .delivered
    }
    simulation.enqueue("poison", to: "phone")
    for index in 0..<20 {
      simulation.enqueue("\(index)", to: "phone")
      simulation.advance(.seconds(30))
    }
    #expect(simulation.delivered("phone") == (0..<20).map { "\($0)" })
  }

  @Test("Alerts about the same thing keep their order, also when the first has to wait")
  func order() {
    var simulation = DeliverySimulation([("phone", plain)])
    var failures = 3
    simulation.answer = { delivery, _ in
      guard delivery.alert.id == "fires", failures > 0 else { return .delivered }
      failures -= 1
      return .retry(after: nil, reason: "500")
    }
    simulation.enqueue("fires", to: "phone", key: "BTC")
    simulation.enqueue("resolves", to: "phone", key: "BTC")
    simulation.enqueue("other", to: "phone", key: "ETH")
    simulation.advance(.minutes(5))
    let delivered = simulation.delivered("phone")
    #expect(Set(delivered) == ["fires", "resolves", "other"])
    #expect(delivered.firstIndex(of: "fires") ?? 9 < delivered.firstIndex(of: "resolves") ?? 0)
  }

  @Test("A channel that never answers is tried again, and a late answer still counts")
  func timeout() {
    var outbox = Outbox(channels: [("phone", plain)], seed: 1)
    var now = Timestamp(milliseconds: 0)
    outbox.enqueue(.sample("1"), to: ["phone"], now: now)
    outbox.committed(outbox.takeChanges().number)
    let first = outbox.deliveries(now: now)
    #expect(outbox.nextDue == now + .minutes(1))
    now = now + .minutes(1)
    #expect(outbox.deliveries(now: now) == [])
    #expect(outbox.takeChanges().rows.map(\.attempt) == [1])
    outbox.outcome(.retry(after: nil, reason: "late"), of: first[0], now: now)
    #expect(outbox.takeChanges().isEmpty)
    outbox.outcome(.delivered, of: first[0], now: now)
    #expect(outbox.takeChanges().settled.map(\.outcome) == [.delivered])
    #expect(outbox.nextDue == nil || outbox.queued(for: "phone") == 0)
    now = now + .minutes(5)
    #expect(outbox.deliveries(now: now) == [])
  }

  @Test("A clock that is set back by an hour makes no channel wait an hour")
  func clockBack() {
    var outbox = Outbox(channels: [("phone", plain)], seed: 1)
    var now = Timestamp(milliseconds: 10_000_000)
    outbox.enqueue(.sample("1"), to: ["phone"], now: now)
    outbox.committed(outbox.takeChanges().number)
    let first = outbox.deliveries(now: now)
    outbox.outcome(.retry(after: nil, reason: "500"), of: first[0], now: now)
    now = now + .minutes(-60)
    #expect(outbox.deliveries(now: now) == [])
    now = now + .seconds(1)
    #expect(outbox.deliveries(now: now).map(\.attempt) == [2])
  }

  @Test("After a restart undelivered rows go again under the same ids, delivered ones don't")
  func restart() {
    var before = DeliverySimulation([("screen", plain), ("phone", plain)])
    before.answer = { delivery, _ in
      delivery.channel == "phone" ? .retry(after: nil, reason: "500") : .delivered
    }
    for id in ["1", "2", "3"] { before.enqueue(id, to: "screen", "phone") }
    let rows = before.order.compactMap { before.stored[$0] }
    #expect(rows.map(\.id) == ["1-phone", "2-phone", "3-phone"])

    var after = DeliverySimulation([("screen", plain), ("phone", plain)])
    after.now = before.now + .seconds(5)
    after.outbox.restore(rows, now: after.now)
    after.work()
    after.advance(.minutes(1))
    #expect(after.attempts.map(\.id).sorted() == ["1-phone", "2-phone", "3-phone"])
    #expect(after.attempts.first { $0.alert == "1" }?.attempt == 2)
    #expect(after.settled.map(\.outcome) == [.delivered, .delivered, .delivered])
  }

  @Test("A stored row for a channel that is no longer there becomes a dead letter")
  func goneChannel() {
    var simulation = DeliverySimulation([("screen", plain)])
    let row = OutboxRow(alert: .sample("1"), channel: "pager", queued: simulation.now)
    simulation.outbox.restore([row], now: simulation.now)
    simulation.work()
    #expect(simulation.settled.map(\.outcome) == [.failed(reason: "there is no channel 'pager' any more")])
  }
}
