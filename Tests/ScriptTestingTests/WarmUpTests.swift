import ScriptTesting
import Testing

@Suite("A history before the first message")
struct WarmUpTests {
  private func passes(
    _ body: String, script: String, files: [String: String] = [:],
    begin: String = "test.script(\"alert.lua\")",
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let folder = try TestFolder()
    for (name, text) in files { try folder.write(name, text) }
    let test = "local t = \(begin)\nit(\"works\", function()\n\(body)\nend)\n"
    let (report, text) = try await folder.run(test, script: script)
    #expect(report.passedCount == 1 && report.exitStatus == 0, "\(text)", sourceLocation: location)
  }

  private func fails(
    _ body: String, script: String, with part: String, location: SourceLocation = #_sourceLocation
  ) async throws {
    let (report, text) = try await TestFolder().run(TestFolder.test(body), script: script)
    #expect(report.exitStatus != 0, sourceLocation: location)
    #expect(text.contains(part), "\(text)", sourceLocation: location)
  }

  private static let mean = """
    local M = { on = {}, state = { mean = stats.sma { count = 3 }, last = 0, replayed = 0 } }
    local high = alert.rule { name = "high", above = 100 }
    function M.on.price(state, message, ctx)
      state.last = num(message.p)
      if ctx.replayed then state.replayed = state.replayed + 1 end
      stats.add(state.mean, state.last)
      high:check(state.last)
    end
    return M
    """

  @Test("statistics are warm, handlers see ctx.replayed, and no alert fires")
  func statistics() async throws {
    try await passes(
      """
        t.warm_up("price", { { p = 1 }, { p = "200" }, { p = 3 } })
        t.state { mean = 68.0, last = 3.0, replayed = 3 }
        t.receive("price", { p = 4 })  t.state { mean = 69.0, last = 4.0 }
      """, script: Self.mean)
  }

  @Test("a level that the history had reached is told by the first live value, once")
  func level() async throws {
    try await passes(
      """
        t.warm_up("price", { { p = 150 } })  t.state { last = 150.0, replayed = 1 }
        t.receive("price", { p = 160 })  t.state { last = 160.0 }  t.alert { rule = "high" }
        t.receive("price", { p = 170 })  t.state { last = 170.0, mean = 160.0 }
      """, script: Self.mean)
  }

  @Test("a crossing knows its side from the history", arguments: [("150", false), ("50", true)])
  func crossing(history: String, fires: Bool) async throws {
    try await passes(
      """
        t.warm_up("price", { { p = 50 }, { p = 150 }, { p = \(history) } })  t.nothing()
        t.receive("price", { p = 160 })
        \(fires ? "t.alert { rule = 'over' }" : "t.nothing()")
      """,
      script: """
        local M = { on = {}, state = {} }
        local over = alert.rule { name = "over", crosses_above = 100 }
        function M.on.price(state, message) over:check(message.p) end
        return M
        """)
  }

  @Test("a change is measured against the history")
  func change() async throws {
    try await passes(
      """
        t.warm_up("price", { { p = 100 }, { p = 120 }, { p = 100 } })  t.nothing()
        t.receive("price", { p = 101 })  t.alert { rule = "moves" }
      """,
      script: """
        local M = { on = {}, state = {} }
        local moves = alert.rule { name = "moves", changes_by = { percent = 10, within = "5m" } }
        function M.on.price(state, message) moves:check(message.p) end
        return M
        """)
  }

  @Test("nothing of a history leaves, and its timers that are past don't run")
  func effects() async throws {
    try await passes(
      """
        t.warm_up("price", { { p = 1 }, { p = 2 } }, { every = "1m" })  t.state { count = 2 }
        t.advance("30s")  t.state { ran = "due" }
        t.advance("1h")  t.nothing()
      """,
      script: """
        local M = { on = {}, actions = {}, state = { count = 0, ran = "" } }
        function M.on.price(state, message)
          state.count = state.count + 1
          log.warn("seen"); alert.send { name = "seen", text = "seen" }
          effect.http { url = "https://example.org/", reply = "got" }
          effect.send("feed", "hello"); effect.publish("file", 1); effect.connect("price")
          effect.throttle("10s", "throttled"); effect.debounce("10s", "late_" .. message.p)
          effect.after("30s", "due_" .. message.p)
        end
        function M.actions.got(state) error("no reply comes") end
        function M.actions.throttled(state) error("past") end
        function M.actions.late_1(state) error("past") end
        function M.actions.due_1(state) error("past") end
        function M.actions.due_2(state) state.ran = "due" end
        function M.actions.late_2(state) end
        return M
        """)
  }

  private static let stages = [
    "config.lua": """
    return {
      sources = { feed = source.stdin {} },
      scripts = {
        maker = { file = "maker.lua", from = { price = "feed" }, warm_up = { candle = {
          file = "history.ndjson", split = "items", split_field = "rows", time = { field = "1", unit = "s" },
          numbers = { "2" },
        } } },
        mean = { file = "alert.lua", from = { price = "maker.prices" } },
      },
    }
    """,
    "maker.lua": """
    local M = { on = {}, state = { times = json.array {} } }
    function M.on.price(state, message) emit("prices", message) end
    function M.on.candle(state, candle, ctx)
      table.insert(state.times, ctx.time // 1000)
      emit("prices", { p = candle[2] + 0 })
    end
    return M
    """,
    "history.ndjson": "{\"rows\":[[30,\"3.5\"],[10,\"1.5\"]]}\n{\"rows\":[[20,\"200\"]]}\n",
  ]

  @Test("a configured file is read in the order of its times, for a handler of its own and the stages behind")
  func file() async throws {
    try await passes(
      """
        t.warm_up()
        t.state("", { times = { 10, 20, 30 } }, { script = "maker" })
        t.state("", { mean = 205.0 / 3, last = 3.5, replayed = 3 }, { script = "mean" })
        t.receive("feed", { p = 500 })
        t.state("", { mean = 703.5 / 3, last = 500.0 }, { script = "mean" })
        t.emitted("prices", { p = 500 })
        t.alert { rule = "high" }
        t.restart()  t.nothing()
        t.warm_up()  t.nothing()
      """, script: Self.mean, files: Self.stages, begin: "test.config(\"config.lua\")")
  }

  @Test("an answer can be given as its text, which is read as the configuration says")
  func text() async throws {
    try await passes(
      """
        t.warm_up("candle", '{"rows":[[5,"7"]]}')
        t.state("", { times = { 5 } }, { script = "maker" })
        t.state("", { last = 7.0, replayed = 1 }, { script = "mean" })
      """, script: Self.mean, files: Self.stages, begin: "test.config(\"config.lua\")")
  }

  @Test("a handler that fails on a history is an error, and changes nothing")
  func failing() async throws {
    try await passes(
      """
        t.warm_up("price", { { p = 1 }, { p = "much" }, { p = 2 } })
        t.error("expected a number")
        t.state { last = 2.0, replayed = 2 }
      """, script: Self.mean)
  }

  @Test("what makes no sense is refused")
  func refused() async throws {
    try await fails(
      "t.receive(\"price\", { p = 1 })  t.state { last = 1.0 }\nt.warm_up(\"price\", { { p = 1 } })",
      script: Self.mean, with: "a history comes before the first message")
    try await fails("t.warm_up()", script: Self.mean, with: "expected an input and its history")
    try await fails(
      "t.warm_up(\"prize\", { { p = 1 } })", script: Self.mean,
      with: "there is no handler M.on.prize; there is price")
    try await fails("t.warm_up(\"price\", {})", script: Self.mean, with: "it holds no message")
    try await fails("t.warm_up(\"price\", \"{ no\")", script: Self.mean, with: "message 1 can't be decoded")
  }
}
