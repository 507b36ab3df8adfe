import TestPeers
import Testing

@testable import Pipeline

@Suite("Silenced alerts")
struct OutboxSilenceTests {
  private let plain = DeliveryPolicy()

  private func orders(_ version: Int, _ silences: Silence...) -> StandingOrders {
    var orders = StandingOrders()
    orders.version = version
    orders.silences = silences
    return orders
  }

  private func silence(_ key: String? = nil, rule: String = "rule", minutes: Int64 = 60) -> Silence {
    Silence(
      number: 1, rule: rule, key: key, begins: Timestamp(milliseconds: 0),
      ends: Timestamp(milliseconds: minutes * 60_000))
  }

  private func alert(_ id: String, _ kind: Alert.Kind = .firing, key: String = "a", lasts: Bool = true)
    -> Alert
  {
    Alert(
      id: id, name: "rule", script: "s", key: key, kind: kind, text: id, time: Timestamp(milliseconds: 0),
      lasts: lasts && kind == .firing)
  }

  private func outcomes(_ simulation: DeliverySimulation) -> [String: SettledRow.Outcome] {
    Dictionary(simulation.settled.map { ($0.key.alert, $0.outcome) }) { first, _ in first }
  }

  private func give(_ simulation: inout DeliverySimulation, _ alerts: Alert...) {
    for alert in alerts { simulation.outbox.enqueue(alert, to: ["phone"], now: simulation.now) }
    simulation.work()
  }

  @Test("A silence is about one rule, or one key of it, for its time")
  func covers() {
    let now = Timestamp(milliseconds: 5)
    for (silence, key, covered) in [
      (silence(), "a", true), (silence("a"), "a", true), (silence("b"), "a", false),
      (silence(rule: "other"), "a", false), (silence(minutes: 0), "a", false), (silence(""), "a", false),
    ] {
      #expect(silence.covers(alert("x", key: key), at: now) == covered, "\(silence)")
    }
    #expect(silence().covers(alert("x", .reminder), at: now))
    #expect(!silence().covers(alert("x", .resolved), at: now))
    #expect(!silence().covers(alert("x"), at: Timestamp(milliseconds: 3_600_000)))
  }

  @Test("Nothing of a silenced rule leaves, other rules do, and the history says so")
  func quiet() {
    var simulation = DeliverySimulation([("phone", plain)])
    simulation.outbox.follow(orders(1, silence("a")), now: simulation.now)
    give(
      &simulation, alert("sent", lasts: false), alert("reminder", .reminder), alert("other", key: "b"))
    #expect(simulation.attempts.map(\.alert) == ["other"])
    #expect(outcomes(simulation) == ["sent": .silenced, "reminder": .silenced, "other": .delivered])
    #expect(simulation.outbox.nextDue == nil)
  }

  @Test("An episode within a silence is told neither at its beginning nor at its end")
  func within() {
    var simulation = DeliverySimulation([("phone", plain)])
    simulation.outbox.follow(orders(1, silence()), now: simulation.now)
    give(&simulation, alert("begin"))
    simulation.advance(.minutes(10))
    give(&simulation, alert("end", .resolved))
    simulation.advance(.minutes(120))
    #expect(simulation.attempts.isEmpty)
    #expect(outcomes(simulation) == ["begin": .silenced, "end": .silenced])
  }

  @Test(
    "An episode that goes on when its silence ends is told then, and its end too", arguments: [false, true])
  func goesOn(restarts: Bool) {
    var simulation = DeliverySimulation([("phone", plain)])
    simulation.outbox.follow(orders(1, silence()), now: simulation.now)
    give(&simulation, alert("begin"))
    if restarts {
      var again = DeliverySimulation([("phone", plain)])
      again.stored = simulation.stored
      again.order = simulation.order
      again.outbox.restore(simulation.order.compactMap { simulation.stored[$0] }, now: again.now)
      again.outbox.follow(orders(1, silence()), now: again.now)
      simulation = again
    }
    simulation.advance(.minutes(59))
    #expect(simulation.attempts.isEmpty)
    simulation.advance(.minutes(61))
    #expect(simulation.attempts.map(\.time) == [3_600_000])
    #expect(simulation.texts == ["begin (since 1970-01-01T00:00:00Z, silenced until now)"])
    give(&simulation, alert("end", .resolved))
    #expect(simulation.delivered("phone") == ["begin", "end"])
  }

  @Test("Lifting a silence tells at once what goes on; another silence goes on")
  func lifted() {
    var simulation = DeliverySimulation([("phone", plain)])
    simulation.outbox.follow(orders(1, silence("a"), silence("b")), now: simulation.now)
    give(&simulation, alert("begin a"), alert("begin b", key: "b"))
    simulation.advance(.minutes(5))
    simulation.outbox.follow(orders(2, silence("b")), now: simulation.now)
    simulation.work()
    #expect(simulation.attempts.map(\.alert) == ["begin a"])
  }

  @Test("The end of an episode that was told before its rule was silenced is told")
  func endOfTold() {
    var simulation = DeliverySimulation([("phone", plain)])
    give(&simulation, alert("begin"))
    simulation.outbox.follow(orders(1, silence()), now: simulation.now)
    give(&simulation, alert("end", .resolved))
    #expect(simulation.delivered("phone") == ["begin", "end"])
  }

  @Test("A silence takes what waits for another attempt, and not what is under way")
  func waiting() {
    var simulation = DeliverySimulation([("phone", plain)])
    simulation.answer = { delivery, now in
      delivery.alert.id == "under way" ? nil : .delivered
    }
    give(&simulation, alert("under way", key: "1"), alert("waiting", key: "2", lasts: false))
    #expect(simulation.attempts.map(\.alert) == ["under way"])
    simulation.outbox.follow(orders(1, silence()), now: simulation.now)
    simulation.work()
    let delivery = Delivery(
      alert: alert("under way", key: "1"), channel: "phone", id: "under way-phone", attempt: 1)
    simulation.outbox.outcome(.delivered, of: delivery, now: simulation.now)
    simulation.work()
    #expect(outcomes(simulation) == ["under way": .delivered, "waiting": .silenced])
  }

  @Test("A silence that ends at night hands over to the hold of the night")
  func intoTheNight() throws {
    var simulation = DeliverySimulation([("phone", plain)])
    let hold = try #require(DailyHours(parsing: "00:30-07:00"))
    simulation.outbox.follow(orders(1, silence()), now: simulation.now)
    simulation.outbox.enqueue(alert("begin"), to: ["phone"], hold: hold, now: simulation.now)
    simulation.advance(.minutes(6 * 60))
    #expect(simulation.attempts.isEmpty && simulation.outbox.heldCount == 1)
    simulation.advance(.minutes(2 * 60))
    #expect(simulation.attempts.map(\.time) == [7 * 3_600_000])
  }

  @Test(
    "Whatever is silenced, held and lifted, each alert ends once and the outbox never asks in vain",
    arguments: 0..<40)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let hold = try #require(DailyHours(parsing: "00:10-00:20"))
    var simulation = DeliverySimulation([("phone", plain), ("screen", plain)])
    var version = 0
    var keysGoingOn: Set<String> = []
    var count = 0
    var silences: [Silence] = []
    for step in 0..<400 {
      switch generator.next() % 5 {
      case 0:
        version += 1
        var orders = StandingOrders()
        orders.version = version
        silences = silences.filter { _ in generator.next() % 2 == 0 }
        let ends = simulation.now + .seconds(Int64(generator.next() % 600))
        silences.append(
          Silence(
            number: Int64(step), rule: "rule", key: "\(generator.next() % 4)", begins: simulation.now,
            ends: ends))
        orders.silences = silences
        simulation.outbox.follow(orders, now: simulation.now)
        simulation.work()
      default:
        let key = "\(generator.next() % 4)"
        let kind: Alert.Kind = keysGoingOn.remove(key) == nil ? .firing : .resolved
        if kind == .firing { keysGoingOn.insert(key) }
        simulation.outbox.enqueue(
          alert("\(count)", kind, key: key), to: ["phone", "screen"],
          hold: generator.next() % 2 == 0 ? hold : nil, now: simulation.now)
        count += 1
        simulation.work()
      }
      simulation.advance(.seconds(Int64(generator.next() % 20)))
    }
    version += 1
    var none = StandingOrders()
    none.version = version
    simulation.outbox.follow(none, now: simulation.now)
    simulation.advance(.minutes(24 * 60))
    let ends = simulation.settled.filter { Int($0.key.alert) != nil }
    #expect(ends.count == 2 * count, "seed \(seed)")
    #expect(Set(ends.map(\.key)).count == ends.count, "seed \(seed)")
    #expect(simulation.stored.isEmpty && simulation.outbox.nextDue == nil, "seed \(seed)")
    // An end is told only to whom the beginning was told, by itself or in a digest.
    let told = Dictionary(ends.map { ($0.key, $0.outcome) }) { first, _ in first }
    #expect(told.values.contains(.silenced) && told.values.contains(.delivered))
  }
}
