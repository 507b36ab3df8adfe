import Scripting
import Testing

@testable import Pipeline

@Suite("Scripts that feed scripts")
struct TopicTests {
  /// Hands on what it gets, doubled, and twice as long texts fail it after it has emitted.
  private static let doubler = """
    local M = { on = {} }
    M.state = { count = 0 }
    function M.on.number(state, message)
      state.count = state.count + 1
      emit("doubled", { value = message.value * 2 })
      if message.value == 13 then error("unlucky") end
    end
    return M
    """

  /// Says what it gets.
  private static let printer = """
    local M = { on = {} }
    function M.on.doubled(state, message, ctx)
      if message.value == 14 then error("not this one") end
      log.info(("%d %s.%s at %d"):format(message.value, ctx.source, ctx.topic, ctx.time))
    end
    function M.on.number(state, message) log.info(("%d itself"):format(message.value)) end
    M.actions = { tick = function(state, payload, ctx) log.info("tick at", ctx.time) end }
    M.events = { start = function() effect.after("3s", "tick") end }
    return M
    """

  private func wiring(feedingPrinter: Bool = false) throws -> EngineWiring {
    let doubler = try ScriptRunner(
      name: "doubler", file: ScriptFile(name: "doubler.lua", source: Self.doubler))
    let printer = try ScriptRunner(
      name: "printer", file: ScriptFile(name: "printer.lua", source: Self.printer))
    var feeds = [EngineWiring.Feed(runner: doubler, input: "number")]
    if feedingPrinter { feeds.append(EngineWiring.Feed(runner: printer, input: "number")) }
    let doubled = EngineWiring.Topic(
      name: "doubled", feeds: [EngineWiring.Feed(runner: printer, input: "doubled")])
    return EngineWiring(
      runners: [doubler, printer], feeds: [feeds], topics: [[doubled], []],
      router: AlertRouter(routes: [], channels: ["screen"]))
  }

  /// What the scripts log and what fails when numbers come a second apart, in reads of so many.
  private func run(
    _ numbers: [Int], inReadsOf size: Int = 1, feedingPrinter: Bool = false
  ) async throws -> [String] {
    let host = await VirtualHost(
      wiring: try wiring(feedingPrinter: feedingPrinter), sourceNames: ["feed"], channels: ["screen"],
      now: Timestamp(milliseconds: 0))
    await host.start()
    for start in stride(from: 0, to: numbers.count, by: size) {
      let batch = MessageBatch()
      for index in start..<min(start + size, numbers.count) {
        batch.append("{\"value\":\(numbers[index])}", time: Int64(index + 1) * 1_000)
      }
      await host.receive(batch, source: 0)
    }
    return await host.takeEvents().compactMap { event in
      switch event {
      case .log(.info, let origin, let text) where origin == "printer": text
      case .quarantined(let row): "\(row.script) failed: \(row.input)"
      default: nil
      }
    }
  }

  @Test("what a handler emits reaches the other script, with its origin, topic and time")
  func passing() async throws {
    #expect(try await run([1, 2]) == ["2 doubler.doubled at 1000", "4 doubler.doubled at 2000"])
  }

  @Test("what a failing handler emitted never happened")
  func failingSender() async throws {
    #expect(
      try await run([1, 13, 2]) == [
        "2 doubler.doubled at 1000", "doubler failed: number", "tick at 3000", "4 doubler.doubled at 3000",
      ])
  }

  @Test("a failing receiver undoes only itself")
  func failingReceiver() async throws {
    #expect(try await run([7, 1]) == ["printer failed: doubled", "2 doubler.doubled at 2000"])
  }

  @Test(
    "the order doesn't depend on how many messages one read gave, neither over two ways nor with timers between",
    arguments: [1, 2, 3, 5])
  func batches(size: Int) async throws {
    #expect(
      try await run([1, 2, 3, 4, 5], inReadsOf: size, feedingPrinter: true) == [
        "1 itself", "2 doubler.doubled at 1000", "2 itself", "4 doubler.doubled at 2000", "tick at 3000",
        "3 itself", "6 doubler.doubled at 3000", "4 itself", "8 doubler.doubled at 4000", "5 itself",
        "10 doubler.doubled at 5000",
      ])
  }

  @Test("a flood of messages is cut off, and what is cut off goes to the quarantine")
  func flood() async throws {
    let flooder = try ScriptRunner(
      name: "flooder",
      file: ScriptFile(
        name: "flooder.lua",
        source: """
          local M = { on = {} }
          function M.on.number() for i = 1, 1000 do emit("many", i) end end
          return M
          """))
    let multiplier = try ScriptRunner(
      name: "multiplier",
      file: ScriptFile(
        name: "multiplier.lua",
        source: """
          local M = { on = {} }
          function M.on.many(state, message) for i = 1, 100 do emit("more", i) end end
          return M
          """))
    let counter = try ScriptRunner(
      name: "counter",
      file: ScriptFile(
        name: "counter.lua",
        source: """
          local M = { on = {}, state = { count = 0 } }
          function M.on.more(state) state.count = state.count + 1 end
          return M
          """))
    let many = EngineWiring.Topic(
      name: "many", feeds: [EngineWiring.Feed(runner: multiplier, input: "many")])
    let more = EngineWiring.Topic(name: "more", feeds: [EngineWiring.Feed(runner: counter, input: "more")])
    let host = await VirtualHost(
      wiring: EngineWiring(
        runners: [flooder, multiplier, counter],
        feeds: [[EngineWiring.Feed(runner: flooder, input: "number")]],
        topics: [[many], [more], []], router: AlertRouter(routes: [], channels: [])),
      sourceNames: ["feed"], channels: [], now: Timestamp(milliseconds: 0))
    await host.start()
    let batch = MessageBatch()
    batch.append("1", time: 1_000)
    await host.receive(batch, source: 0)
    let refused = await host.takeEvents().compactMap { event in
      if case .quarantined(let row) = event { row } else { nil }
    }
    #expect(refused.map(\.script) == ["multiplier"])
    #expect(refused.first?.reason.contains("more than 10000 messages went out for one message") == true)
  }

  @Test("what other scripts hand on doesn't count, whatever stands between them in the order")
  func separateFloods() async throws {
    func script(_ name: String, _ source: String) throws -> ScriptRunner {
      try ScriptRunner(name: name, file: ScriptFile(name: "\(name).lua", source: source))
    }
    let runners = try ["a", "b"].map { name in
      try script(
        name,
        """
        local M = { on = {}, actions = {} }
        function M.on.number(state, count)
          for i = 1, count do emit("many", i) end
          effect.after("1s", "again", count)
        end
        function M.actions.again(state, count) for i = 1, count do emit("many", i) end end
        return M
        """)
    }
    let counters = try ["c", "d"].map { name in
      try script(
        name,
        """
        local M = { on = {}, state = { count = 0 } }
        function M.on.many(state) state.count = state.count + 1 end
        return M
        """)
    }
    let topics = counters.map {
      [EngineWiring.Topic(name: "many", feeds: Array(repeating: .init(runner: $0, input: "many"), count: 20))]
    }
    let wiring = EngineWiring(
      runners: runners + counters,
      feeds: [runners.map { EngineWiring.Feed(runner: $0, input: "number") }],
      topics: topics + [[], []], router: AlertRouter(routes: [], channels: []))
    #expect(wiring.groups == [0, 1, 0, 1])
    let host = await VirtualHost(
      wiring: wiring, sourceNames: ["feed"], channels: [], now: Timestamp(milliseconds: 0))
    await host.start()
    let batch = MessageBatch()
    // Both together go beyond the limit, each alone is at it; then each goes beyond it.
    for count in [500, 501] { batch.append("\(count)", time: 1_000) }
    await host.receive(batch, source: 0)
    await host.advance(to: Timestamp(milliseconds: 5_000))
    let refused = await host.takeEvents().compactMap { event in
      if case .quarantined(let row) = event { row.script } else { nil }
    }
    #expect(refused == ["a", "b", "a", "b"], "at the second message, and at the timer that it has set")
    #expect(await rows(of: ["c", "d"], on: host) == [#"{"count":30000}"#, #"{"count":30000}"#])
  }

  private func rows(of names: [String], on host: isolated VirtualHost) -> [String?] {
    names.map { host.runner(named: $0)?.rows[""] }
  }
}
