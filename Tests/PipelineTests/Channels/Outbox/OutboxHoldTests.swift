import Testing

@testable import Pipeline

@Suite("Alerts held for the night")
struct OutboxHoldTests {
  private let plain = DeliveryPolicy()
  private let night: DailyHours

  init() throws { night = try #require(DailyHours(parsing: "22:00-07:00 Europe/Berlin")) }

  private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(parsing: text)) }

  /// An outbox in the evening, at 21:00 in Berlin.
  private func evening(_ policy: DeliveryPolicy = DeliveryPolicy()) throws -> DeliverySimulation {
    var simulation = DeliverySimulation([("phone", policy)])
    simulation.advance(to: try time("2026-11-30T20:00:00Z"))
    return simulation
  }

  private func alert(
    _ id: String, _ kind: Alert.Kind = .firing, key: String = "BTC", severity: Severity = .warning,
    at time: Timestamp
  ) -> Alert {
    Alert(
      id: id, name: "over", script: "s", key: key, kind: kind, severity: severity, text: "text of \(id)",
      time: time, lasts: kind == .firing)
  }

  @Test(
    "A channel that shows alerts from their beginning to their end gets them at once, beside one that waits")
  func board() throws {
    var policy = DeliveryPolicy()
    policy.isToldAtOnce = true
    var simulation = DeliverySimulation([("board", policy), ("phone", plain)])
    simulation.advance(to: try time("2026-11-30T23:00:00Z"))
    simulation.outbox.enqueue(
      alert("night", at: simulation.now), to: ["board", "phone"], hold: night, now: simulation.now)
    simulation.work()
    #expect(simulation.attempts.map(\.channel) == ["board"])
    simulation.advance(to: try time("2026-12-01T08:00:00Z"))
    #expect(simulation.attempts.map(\.channel) == ["board", "phone"])
  }

  @Test(
    "What comes within the hours leaves as one digest at their end, in order, the ends beside the beginnings")
  func digest() throws {
    var simulation = try evening()
    func add(_ id: String, _ kind: Alert.Kind = .firing, key: String = "BTC", at clock: String) throws {
      simulation.advance(to: try time(clock))
      simulation.outbox.enqueue(
        alert(id, kind, key: key, at: simulation.now), to: ["phone"], hold: night, now: simulation.now)
      simulation.work()
    }
    try add("before", key: "ETH", at: "2026-11-30T20:59:00Z")
    try add("first", at: "2026-11-30T21:30:00Z")
    try add("reminder", .reminder, at: "2026-11-30T23:30:00Z")
    try add("other", key: "XRP", at: "2026-12-01T01:00:00Z")
    try add("first over", .resolved, at: "2026-12-01T02:00:00Z")
    try add("before over", .resolved, key: "ETH", at: "2026-12-01T05:59:00Z")
    #expect(simulation.attempts.map(\.alert) == ["before"])
    #expect(simulation.outbox.heldCount == 5 && simulation.outbox.openCount == 0)

    simulation.advance(to: try time("2026-12-01T08:00:00Z"))
    #expect(simulation.attempts.count == 2)
    #expect(simulation.attempts.last?.time == (try time("2026-12-01T06:00:00Z")).milliseconds)
    #expect(
      simulation.texts.last == """
        3 alerts held 22:00-07:00 Europe/Berlin
        22:30 warning over [BTC]: text of first (resolved 03:00)
        02:00 warning over [XRP]: text of other (goes on)
        06:59 resolved over [ETH]: text of before over
        """)
    let digest = try #require(simulation.attempts.last?.alert)
    let told = simulation.settled.filter { $0.outcome == .digested(in: digest) }.map(\.key.alert)
    #expect(Set(told) == ["first", "reminder", "other", "first over", "before over"])
    #expect(simulation.stored.isEmpty && simulation.outbox.nextDue == nil)
    // What ends later is told as ever.
    try add("other over", .resolved, key: "XRP", at: "2026-12-01T09:00:00Z")
    #expect(simulation.delivered("phone").last == "other over")
  }

  @Test(
    "A restart in the night, or a night slept through, changes nothing about the digest",
    arguments: [false, true])
  func restart(sleeps: Bool) throws {
    var simulation = try evening()
    simulation.advance(to: try time("2026-11-30T22:00:00Z"))
    for id in ["a", "b"] {
      simulation.outbox.enqueue(
        alert(id, key: id, at: simulation.now), to: ["phone"], hold: night, now: simulation.now)
    }
    simulation.work()
    var again = DeliverySimulation([("phone", plain)])
    again.stored = simulation.stored
    again.order = simulation.order
    again.now = try time(sleeps ? "2026-12-01T11:00:00Z" : "2026-12-01T01:00:00Z")
    again.outbox.restore(simulation.order.compactMap { simulation.stored[$0] }, now: again.now)
    again.work()
    if !sleeps {
      #expect(again.attempts.isEmpty)
      again.outbox.enqueue(
        alert("a over", .resolved, key: "a", at: again.now), to: ["phone"], hold: night, now: again.now)
      again.work()
    }
    again.advance(.minutes(12 * 60))
    #expect(again.attempts.count == 1)
    let ending = sleeps ? "(goes on)" : "(resolved 02:00)"
    #expect(
      again.texts == [
        """
        2 alerts held 22:00-07:00 Europe/Berlin
        23:00 warning over [a]: text of a \(ending)
        23:00 warning over [b]: text of b (goes on)
        """
      ])
  }

  @Test("A digest is bounded: the latest are told, the others counted, and all are in the history")
  func bounded() throws {
    var simulation = try evening()
    simulation.advance(to: try time("2026-11-30T22:00:00Z"))
    let count = HeldDeliveries.digestBound + 200
    for index in 0..<count {
      simulation.outbox.enqueue(
        alert("\(index)", key: "\(index)", at: simulation.now), to: ["phone"], hold: night,
        now: simulation.now)
    }
    simulation.work()
    #expect(simulation.outbox.heldCount == HeldDeliveries.digestBound)
    // The count of those that are only counted survives a restart.
    var again = DeliverySimulation([("phone", plain)])
    again.stored = simulation.stored
    again.order = simulation.order
    again.now = simulation.now
    again.outbox.restore(simulation.order.compactMap { simulation.stored[$0] }, now: again.now)
    again.advance(.minutes(12 * 60))
    let text = try #require(again.texts.first)
    #expect(again.texts.count == 1)
    #expect(text.hasPrefix("\(count) alerts held"))
    #expect(text.split(separator: "\n").count == HeldDigest.lineBound + 2)
    #expect(text.contains("[\(count - 1)]: text of \(count - 1)"))
    #expect(text.hasSuffix("and \(count - HeldDigest.lineBound) before these; 'pipeline alerts' lists them"))
    #expect(text.utf8.count < HeldDigest.lineBound * (HeldDigest.textBound + 100))
    let digest = again.attempts[0].alert
    let settled = simulation.settled + again.settled
    #expect(settled.filter { $0.outcome == .digested(in: digest) }.count == count)
  }

  @Test("A channel that is down in the morning gets its digest when it is back")
  func channelDown() throws {
    var simulation = try evening()
    let back = try time("2026-12-01T06:30:00Z")
    simulation.answer = { _, now in now < back ? .retry(after: nil, reason: "down") : .delivered }
    simulation.advance(to: try time("2026-11-30T22:00:00Z"))
    simulation.outbox.enqueue(alert("a", at: simulation.now), to: ["phone"], hold: night, now: simulation.now)
    simulation.advance(to: try time("2026-12-01T08:00:00Z"))
    #expect(simulation.delivered("phone").count == 1)
    #expect(simulation.stored.isEmpty)
  }
}
