import Scripting
import TestPeers
import Testing

@testable import Pipeline

/// Restarts and reloads inserted anywhere change nothing.
@Suite("Reloads and restarts anywhere")
struct ReloadPropertyTests {
  private static let quiet = "alert.rule { name = \"quiet\", no_data_for = \"6s\" },"
  private static let script = """
    local M = { on = {}, actions = {}, key = "s" }
    M.state = { price = 0, count = 0, mean = stats.sma { count = 3 }, seen = {} }
    local rules = {
      alert.rule { name = "over", crosses_above = 6, clear_below = 4 },
      alert.rule { name = "high", above = 7, for_duration = "2s", cooldown = "9s" },
      alert.rule { name = "moved", changes_by = { absolute = 4, within = "5s" } },
      \(quiet)
    }
    M.timers = { tick = every("4s") }
    function M.actions.tick(state, payload, ctx) log.info("tick", ctx.time) end
    function M.actions.later(state, payload, ctx)
      state.count = state.count + 100
      log.info("later", ctx.key, ctx.time, payload.n)
    end
    function M.on.feed(state, message, ctx)
      state.price, state.count = message.p, state.count + 1
      state.seen[state.count % 5 + 1.5] = message.p
      stats.add(state.mean, message.p)
      if message.p > 7 then effect.after("3s", "later", { n = state.count }) end
      if message.p == 3 then effect.debounce("2s", "later", { n = -state.count }) end
      if message.p == 5 then effect.throttle("4s", "later", { n = state.count }) end
      for _, rule in ipairs(rules) do rule:check(message.p) end
      if message.p == 2 then error("two") end
    end
    return M
    """

  private struct Step {
    var key: String
    var value: Int
    var wait: Int64
  }

  /// What is done between two messages.
  private enum Interruption { case none, reload, restart }

  private struct Outcome: Equatable {
    var events: [Event] = []
    var rows: [String: String] = [:]

    /// The outcome with what happened at one time in an order of its own.
    var ordered: Outcome {
      Outcome(events: events.sorted { ($0.time, $0.text) < ($1.time, $1.text) }, rows: rows)
    }
  }

  private struct Event: Equatable {
    var time: Timestamp
    var text: String
  }

  private func parts(_ form: Int, _ script: String) throws -> EngineWiring {
    let file = ScriptFile(name: "watch.lua", source: script + "\n-- form \(form)")
    let runner = try ScriptRunner(name: "watch", file: file)
    return EngineWiring(
      runners: [runner], feeds: [[EngineWiring.Feed(runner: runner, input: "feed")]],
      router: AlertRouter(routes: [], channels: ["screen"]))
  }

  private func run(
    _ steps: [Step], _ script: String = Self.script, isolation: isolated any Actor = #isolation,
    between: (Int) -> Interruption
  ) throws -> Outcome {
    let storage = MemoryStorage()
    var time = Timestamp(milliseconds: 1_000_000)
    func makeEngine(_ form: Int) throws -> VirtualEngine {
      VirtualEngine(
        wiring: try parts(form, script), sourceNames: ["feed"], channels: ["screen"], now: time,
        storage: storage)
    }
    var engine = try makeEngine(0)
    var outcome = Outcome()
    func gather() {
      for (time, event) in engine.takeTimedEvents() {
        switch event {
        case .alert(let alert):
          outcome.events.append(
            Event(time: time, text: "\(alert.id) \(alert.kind) \(alert.name) \(alert.time)"))
        case .log(.info, let origin, let text) where origin == "watch" && !text.hasPrefix("reloaded"):
          outcome.events.append(Event(time: time, text: text))
        case .quarantined(let row): outcome.events.append(Event(time: time, text: "failed \(row.reason)"))
        default: break
        }
      }
    }
    engine.start()
    for (index, step) in steps.enumerated() {
      let interruption = between(index)
      if interruption == .reload { try engine.reload(try parts(index + 1, script)) }
      time = time + Milliseconds(step.wait)
      engine.advance(to: time)
      // Just before a message: from a start on what falls due waits for one.
      if interruption == .restart {
        engine.storeAll()
        gather()
        engine = try makeEngine(index + 1)
        engine.start()
      }
      let batch = MessageBatch()
      batch.append("{\"s\":\"\(step.key)\",\"p\":\(step.value)}", time: time.milliseconds)
      engine.receive(batch, source: 0)
      gather()
    }
    engine.advance(to: time + .seconds(20))
    gather()
    outcome.rows = engine.runners[0].rows
    return outcome
  }

  private func steps(_ generator: inout SeededGenerator) -> [Step] {
    (0..<Int.random(in: 5...40, using: &generator)).map { _ in
      Step(
        key: generator.pick(["a", "b"]), value: Int.random(in: 0...9, using: &generator),
        wait: generator.pick([0, 500, 1_000, 1_000, 2_000, 3_000]))
    }
  }

  @Test("reloads change neither alerts, timers, logs nor state")
  @MainActor func reloads() throws {
    var alerts = 0
    for seed in 0..<25 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let steps = steps(&generator)
      let plain = try run(steps) { _ in .none }
      alerts += plain.events.count
      let reloaded = try run(steps) { _ in Bool.random(using: &generator) ? .reload : .none }
      guard plain == reloaded else {
        Issue.record("seed \(seed): \(steps)\ngot \(reloaded)\nexpected \(plain)")
        return
      }
    }
    #expect(alerts > 500, "the series are too quiet to prove anything")
  }

  @Test(
    "restarts that missed nothing, and reloads among them, change nothing but the order within one moment")
  @MainActor func restarts() throws {
    // How long a program was down is unknown to a rule about missing data: it begins to wait anew.
    let script = Self.script.replacing(Self.quiet, with: "")
    for seed in 0..<25 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      // What falls due waits for the next value of its key, and for one that counts: so one key, and no restart before a
      // message that fails.
      let steps = steps(&generator).map { Step(key: "a", value: $0.value, wait: $0.wait) }
      let plain = try run(steps, script) { _ in .none }.ordered
      let restarted = try run(steps, script) { index in
        steps[index].value == 2 ? .none : generator.pick([.none, .none, .reload, .restart])
      }.ordered
      guard plain == restarted else {
        Issue.record("seed \(seed): \(steps)\ngot \(restarted)\nexpected \(plain)")
        return
      }
    }
  }
}
