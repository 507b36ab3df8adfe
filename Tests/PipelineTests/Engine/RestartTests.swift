import Scripting
import Testing

@testable import Pipeline

/// What a program that ends, also by a kill, and begins again later goes on with. Each test is one sentence of that.
@Suite("Restart")
@MainActor
struct RestartTests {
  /// A script with its storage, which outlives its engines.
  @MainActor
  final class Trial {
    private let script: String
    private let storage = MemoryStorage()
    private var engine: VirtualEngine
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)

    init(_ script: String) throws {
      self.script = script
      engine = try Self.engine(script, storage, at: Self.start)
      engine.start()
    }

    private static func engine(_ script: String, _ storage: MemoryStorage, at now: Timestamp) throws
      -> VirtualEngine
    {
      let runner = try ScriptRunner(name: "s", file: ScriptFile(name: "s.lua", source: script))
      let wiring = EngineWiring(
        runners: [runner], feeds: [[EngineWiring.Feed(runner: runner, input: "feed")]],
        router: AlertRouter(routes: [], channels: ["phone"]))
      return VirtualEngine(
        wiring: wiring, sourceNames: ["feed"], channels: ["phone"], now: now, storage: storage)
    }

    /// Gives a value to a key.
    func give(_ value: Int, _ key: String = "a") {
      let batch = MessageBatch()
      batch.append("{\"key\":\"\(key)\",\"n\":\(value)}", time: engine.now.milliseconds)
      engine.receive(batch, source: 0)
    }

    func advance(_ span: Milliseconds) { engine.advance(to: engine.now + span) }
    func setFailure(_ reason: String?) { engine.setFailure(of: "phone", to: reason) }

    /// Ends without a word behind the last commit, and begins again after a time.
    func restart(after downtime: Milliseconds) throws {
      // A flush later than the last change, as a program that runs has it.
      engine.advance(to: engine.now + .seconds(2))
      _ = engine.takeEvents()
      engine = try Self.engine(script, storage, at: engine.now + downtime)
      engine.start()
    }

    /// The texts of the alerts since the last call.
    func told() -> [String] {
      engine.takeEvents().compactMap { if case .alert(let alert) = $0 { alert.text } else { nil } }
    }

    /// The texts delivered since the last call.
    func delivered() -> [String] {
      engine.takeEvents().compactMap { if case .delivered(let alert, _) = $0 { alert.text } else { nil } }
    }
  }

  private func rule(_ options: String) throws -> Trial {
    try Trial(
      """
      local M = { on = {}, key = "key", state = { n = 0 } }
      local rule = alert.rule { name = "rule", \(options) }
      function M.on.feed(state, message)
        state.n = message.n
        rule:check(state.n)
      end
      return M
      """)
  }

  @Test func `each key goes on with its state`() throws {
    let trial = try Trial(
      """
      local M = { on = {}, key = "key", state = { sum = 0 } }
      function M.on.feed(state, message)
        state.sum = state.sum + message.n
        alert.send { name = "sum", text = message.key .. " " .. state.sum }
      end
      return M
      """)
    trial.give(1, "a")
    trial.give(2, "b")
    try trial.restart(after: .minutes(5))
    trial.give(10, "a")
    trial.give(10, "b")
    #expect(trial.told() == ["a 11", "b 12"])
  }

  @Test func `the first value on the same side is silent, on either side`() throws {
    let trial = try rule("crosses_above = 100")
    trial.give(50, "low")
    trial.give(50, "high")
    trial.give(150, "high")
    try trial.restart(after: .minutes(5))
    trial.give(60, "low")
    trial.give(160, "high")
    #expect(trial.told() == [])
  }

  @Test
  func `the first value on the other side is one alert that says it happened while the program was down`()
    throws
  {
    let trial = try rule("crosses_above = 100")
    trial.give(50, "low")
    trial.give(50, "high")
    trial.give(150, "high")
    try trial.restart(after: .minutes(5))
    trial.give(150, "low")
    trial.give(50, "high")
    trial.give(151, "low")
    let told = trial.told()
    #expect(told.count == 2)
    #expect(told.allSatisfy { $0.contains("happened while the program was down") }, "\(told)")
    #expect(told.first?.contains("crossed above 100") == true)
    #expect(told.last?.contains("resolved") == true)
  }

  @Test
  func `a pending due time that passed while it was down waits for the next value: true fires, marked late`()
    throws
  {
    let trial = try rule("above = 100, for_duration = \"10m\"")
    trial.give(150, "holds")
    trial.give(150, "drops")
    try trial.restart(after: .minutes(30))
    trial.advance(.minutes(5))
    #expect(trial.told() == [])
    trial.give(150, "holds")
    trial.give(50, "drops")
    let told = trial.told()
    #expect(told.count == 1)
    #expect(told.first?.contains("late, was due while no data came") == true, "\(told)")
    trial.advance(.minutes(60))
    #expect(trial.told() == [])
  }

  @Test
  func `a pending due time that passes before the first value waits for it: true fires, false drops`() throws
  {
    let trial = try rule("above = 100, for_duration = \"10m\"")
    trial.give(150, "holds")
    trial.give(150, "drops")
    try trial.restart(after: .minutes(5))
    trial.advance(.minutes(30))
    #expect(trial.told() == [])
    trial.give(50, "drops")
    trial.give(150, "holds")
    let told = trial.told()
    #expect(told.count == 1)
    #expect(told.first?.contains("[holds]") == true, "\(told)")
    #expect(told.first?.contains("late, was due while no data came") == true, "\(told)")
  }

  @Test func `missing data is noticed again when the source is connected, after the whole time`() throws {
    let trial = try rule("no_data_for = \"10m\"")
    trial.give(1)
    try trial.restart(after: .minutes(30))
    trial.advance(.minutes(9))
    #expect(trial.told() == [])
    trial.advance(.minutes(2))
    #expect(trial.told().count == 1)
  }

  @Test func `keys that a rule names are watched from the start, and from each start on`() throws {
    let trial = try rule("no_data_for = \"10m\", keys = { \"a\", \"b\" }")
    trial.advance(.minutes(5))
    trial.give(1, "a")
    trial.advance(.minutes(4))
    #expect(trial.told() == [])
    try trial.restart(after: .minutes(30))
    trial.give(1, "a")
    trial.advance(.minutes(9))
    #expect(trial.told() == [])
    trial.give(2, "a")
    trial.advance(.minutes(2))
    let told = trial.told()
    #expect(told.count == 1)
    #expect(told.first?.contains("[b]") == true, "\(told)")
    try trial.restart(after: .minutes(30))
    trial.advance(.minutes(9))
    #expect(trial.told() == [])
    trial.give(1, "b")
    let resolved = trial.told()
    #expect(resolved.count == 1)
    #expect(resolved.first?.contains("resolved") == true, "\(resolved)")
  }

  @Test func `a pending due time still to come is kept, counted from its beginning`() throws {
    let trial = try rule("above = 100, for_duration = \"10m\"")
    trial.give(150)
    try trial.restart(after: .minutes(5))
    trial.give(150)
    trial.advance(.minutes(4))
    #expect(trial.told() == [])
    trial.advance(.minutes(1))
    #expect(trial.told().count == 1)
  }

  @Test func `a cooldown goes on`() throws {
    let trial = try rule("crosses_above = 100, cooldown = \"10m\"")
    trial.give(50)
    trial.give(150)
    trial.give(50)
    try trial.restart(after: .minutes(2))
    trial.give(50)
    trial.give(150)
    #expect(trial.told() == [])
    trial.advance(.minutes(9))
    #expect(trial.told().count == 1)
  }

  @Test func `timers go on, an overdue one runs once and is marked late`() throws {
    let trial = try Trial(
      """
      local M = { on = {}, actions = {}, key = "key", state = { n = 0 } }
      function M.on.feed(state, message) effect.after(message.n .. "m", "ring", message.n) end
      function M.actions.ring(state, payload, ctx)
        alert.send { name = "ring", text = "rang for " .. payload .. (ctx.late and " late" or "") }
      end
      return M
      """)
    trial.give(10, "overdue")
    trial.give(60, "to come")
    try trial.restart(after: .minutes(30))
    trial.advance(.minutes(1))
    #expect(trial.told() == ["rang for 10 late"])
    trial.advance(.minutes(60))
    #expect(trial.told() == ["rang for 60"])
    try trial.restart(after: .minutes(60))
    trial.advance(.minutes(60))
    #expect(trial.told() == [])
  }

  @Test func `a message that was not sent is sent, one that was is not`() throws {
    let trial = try Trial(
      """
      local M = { on = {}, state = { n = 0 } }
      function M.on.feed(state, message) alert.send { name = "n", text = "n " .. message.n } end
      return M
      """)
    trial.give(1)
    #expect(trial.delivered() == ["n 1"])
    trial.setFailure("down")
    trial.give(2)
    #expect(trial.delivered() == [])
    try trial.restart(after: .minutes(10))
    trial.advance(.minutes(10))
    #expect(trial.delivered() == ["n 2"])
  }
}
