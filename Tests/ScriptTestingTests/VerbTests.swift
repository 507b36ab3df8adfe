import ScriptTesting
import Testing

@Suite("What a test lets happen")
struct VerbTests {
  /// Runs a test and expects it to pass.
  private func passes(
    _ body: String, options: String = "{}", script: String = TestFolder.priceAlert,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let (report, text) = try await TestFolder().run(TestFolder.test(body, options: options), script: script)
    #expect(report.exitStatus == 0, "\(text)", sourceLocation: location)
    #expect(report.passedCount == 1, sourceLocation: location)
  }

  @Test("the example of the documentation passes")
  func example() async throws {
    try await passes(
      """
        t.receive("price", { bitcoin = "69000" })   t.state { price = 69000.0, high = 69000.0 }
        t.receive("price", { bitcoin = "70010" })   t.state { price = 70010.0, high = 70010.0 }
                                                    t.alert { rule = "over level", text = "bitcoin at 70010.00" }
        t.receive("price", { bitcoin = "69800" })   t.state { price = 69800.0 }
        t.receive("price", { bitcoin = "70020" })   t.state { price = 70020.0, high = 70020.0 }
        t.receive("price", { bitcoin = "69000" })   t.state { price = 69000.0 }
                                                    t.resolved { rule = "over level" }
      """, options: "{ params = { level = 70000 } }")
  }

  @Test("a message may be raw text, and come at a time of its own")
  func raw() async throws {
    try await passes(
      """
        t.receive("price", '{"bitcoin": 1.5}', { time = "2026-01-02T00:00:00Z" })
        t.state { price = 1.5, high = 1.5 }
      """)
  }

  @Test("a message may have a topic, times of its own, and be text as it is")
  func marks() async throws {
    try await passes(
      """
        t.receive("line", "no JSON", {
          text = true, topic = "a/b", time = 1000, received = "2026-01-01T00:00:05Z", sequence = 7,
        })
        t.state { seen = "no JSON a/b 1000 1767225605000 7" }
      """,
      script: """
        local M = { on = {}, state = { seen = "" } }
        function M.on.line(state, line, ctx)
          state.seen = table.concat({ line, ctx.topic, ctx.time, ctx.received, ctx.sequence }, " ")
        end
        return M
        """)
  }

  @Test("a table of parameters changes what the script's own defaults say")
  func parameters() async throws {
    try await passes(
      """
        t.receive("price", { bitcoin = 4 })  t.state { price = 4.0, high = 4.0 }
        t.receive("price", { bitcoin = 6 })  t.state { price = 6.0, high = 6.0 }  t.alert { rule = "over level" }
      """, options: "{ params = { level = 5 } }")
  }

  @Test("inputs can be fed by a source of another name")
  func from() async throws {
    try await passes(
      """
        t.receive("price", { bitcoin = 4 })  t.state { price = 4.0, high = 4.0 }
        t.receive("btc", { bitcoin = 5 })  t.state { price = 5.0, high = 5.0 }
        t.disconnect("btc")  t.nothing()
      """, options: "{ from = { price = \"btc\" } }")
  }

  @Test("the clock advances from due time to due time")
  func advance() async throws {
    try await passes(
      """
        t.receive("tick", {})        t.nothing()
        t.advance("9999ms")          t.nothing()
        t.advance("1ms")             t.state { count = 1, at = 1767225610000 }
        t.advance("20s")             t.state { count = 3, at = 1767225630000 }
      """,
      script: """
        local M = { state = { count = 0, at = 0 }, on = {}, actions = {} }
        function M.on.tick(state) effect.after("10s", "remind") end
        function M.actions.remind(state, payload, ctx)
          state.count = state.count + 1
          state.at = ctx.time
          effect.after("10s", "remind")
        end
        return M
        """)
  }

  @Test("the clock begins where the test says")
  func now() async throws {
    try await passes(
      "t.receive(\"tick\", {})  t.state { at = 1798675200000 }",
      options: "{ now = \"2026-12-31T00:00:00Z\" }",
      script: """
        local M = { state = { at = 0 }, on = {} }
        function M.on.tick(state) state.at = time.now() end
        return M
        """)
  }

  private static let connection = """
    local M = { state = { status = "new", code = 0, reason = "" }, on = {}, events = {} }
    function M.on.price(state) end
    function M.events.connection(state, event)
      state.status = event.state
      state.code = event.code or 0
      state.reason = event.reason or ""
      log.info("now", event.state)
    end
    return M
    """

  @Test("a source can be disconnected, reconnected and stale")
  func connection() async throws {
    try await passes(
      """
        t.state { status = "connected" }
        t.disconnect("price", { code = 1012, reason = "restarting" })
        t.state { status = "disconnected", code = 1012, reason = "restarting" }  t.log("now disconnected")
        t.reconnect("price")
        t.state { status = "connected", code = 0, reason = "" }  t.log("info", "now connecting")  t.log("now connected")
        t.stale("price")
        t.state { status = "stale" }  t.log("stale")
      """, script: Self.connection)
  }

  @Test("what is asked for while the sources connect may be claimed, and errors of it must be")
  func beginning() async throws {
    let script = """
      local M = { state = { n = 0 }, on = {}, events = {} }
      local p = params { fails = false }
      function M.on.price(state) state.n = 1 end
      function M.events.start(state)
        if p.fails then error("no start") end
        alert.send { name = "hello", text = "here" }
      end
      return M
      """
    try await passes("t.receive(\"price\", {})  t.state { n = 1 }", script: script)
    try await passes("t.alert { rule = \"hello\", text = \"here\" }  t.nothing()", script: script)
    try await passes(
      "t.error(\"no start\")  t.nothing()", options: "{ params = { fails = true } }", script: script)
    let (report, text) = try await TestFolder().run(
      TestFolder.test(
        "t.receive(\"price\", {})  t.state { n = 1 }", options: "{ params = { fails = true } }"),
      script: script)
    #expect(report.exitStatus == 1)
    #expect(text.contains("what the start did was not claimed in full"), "\(text)")
  }

  @Test("a source that is not connected can't be disconnected")
  func disconnectTwice() async throws {
    let (_, text) = try await TestFolder().run(
      TestFolder.test("t.disconnect(\"price\")\nt.nothing()\nt.disconnect(\"price\")"))
    #expect(text.contains("case_test.lua:5: t.disconnect: 'price' is not connected"), "\(text)")
  }

  @Test("a restart keeps state, rules and timers, silently")
  func restart() async throws {
    try await passes(
      """
        t.receive("price", { bitcoin = 71000 })  t.state { price = 71000.0, high = 71000.0 }
        t.receive("price", { bitcoin = 69000 })  t.state { price = 69000.0 }
        t.receive("price", { bitcoin = 70500 })  t.state { price = 70500.0 }  t.alert { rule = "over level" }
        t.restart()                              t.nothing()
        t.state { price = 70500.0, high = 71000.0 }
        t.receive("price", { bitcoin = 70600 })  t.state { price = 70600.0 }
        t.receive("price", { bitcoin = 69000 })  t.state { price = 69000.0 }  t.resolved { rule = "over level" }
      """)
    try await passes(
      """
        t.receive("tick", {})  t.nothing()
        t.restart()            t.nothing()
        t.advance("10s")       t.state { count = 7 }
      """,
      script: """
        local M = { state = { count = 0 }, on = {}, actions = {} }
        function M.on.tick(state) effect.after("10s", "add", { by = 7 }) end
        function M.actions.add(state, payload) state.count = state.count + payload.by end
        return M
        """)
  }

  @Test("a series makes a message of each number and lets time pass for each missing one")
  func series() async throws {
    try await passes(
      """
        t.series("tick", function(n) return { n = n } end, "5 +10x2 _x3 -5 2.5", { every = "1m" })
        t.state { seen = { 5, 15, 25, 20, 2.5 }, at = 1767225600000 + 7 * 60000 }
      """,
      script: """
        local M = { state = { seen = {}, at = 0 }, on = {} }
        function M.on.tick(state, message, ctx)
          table.insert(state.seen, message.n)
          state.at = ctx.time
        end
        return M
        """)
  }

  @Test("a series tells that its source is silent")
  func staleSeries() async throws {
    try await passes(
      """
        t.series("price", function(n) return { n = n } end, "1 stale")
        t.state { status = "stale" }  t.log("stale")
      """, script: Self.connection)
  }

  @Test("a recording is played at its own times")
  func recording() async throws {
    let folder = try TestFolder()
    try folder.write(
      "day.ndjson",
      """
      {"time":1767225601000,"source":"price","text":"{\\"bitcoin\\":\\"69000\\"}"}
      {"time":"2026-01-01T00:00:05Z","source":"price","message":{"bitcoin":70100}}
      {"time":1767225606000,"source":"price","event":"disconnected"}
      {"time":1767225607000,"source":"price","event":"connected"}
      """)
    let (report, text) = try await folder.run(
      TestFolder.test(
        "t.recording(\"day.ndjson\")\nt.state { price = 70100.0, high = 70100.0 }\n"
          + "t.alert { rule = \"over level\", time = 1767225605000 }"))
    #expect(report.exitStatus == 0, "\(text)")
  }

  @Test("a rule's for_duration and cooldown run on the virtual clock")
  func ruleTimes() async throws {
    try await passes(
      """
        t.receive("price", { v = 11 })  t.nothing()
        t.advance("59s")                t.nothing()
        t.advance("1s")                 t.alert { rule = "held", severity = "critical", value = 11 }
      """,
      script: """
        local M = { on = {} }
        local held = alert.rule { name = "held", above = 10, for_duration = "1m", severity = "critical" }
        function M.on.price(state, message) held:check(message.v) end
        return M
        """)
    try await passes(
      """
        t.receive("price", { v = 9 })   t.nothing()
        t.receive("price", { v = 11 })  t.alert { rule = "crossed" }
        t.receive("price", { v = 9 })   t.resolved { rule = "crossed" }
        t.advance("1m")                 t.nothing()
        t.receive("price", { v = 12 })  t.nothing()
        t.advance("8m")                 t.nothing()
        t.advance("1m")                 t.alert { rule = "crossed" }
      """,
      script: """
        local M = { on = {} }
        local crossed = alert.rule { name = "crossed", crosses_above = 10, cooldown = "10m" }
        function M.on.price(state, message) crossed:check(message.v) end
        return M
        """)
  }

  @Test("a whole configuration is tested with its routes and failing channels")
  func configuration() async throws {
    let folder = try TestFolder()
    try folder.write("alert.lua", TestFolder.priceAlert)
    try folder.write(
      "config.lua",
      """
      return {
        sources = { btc = source.simulated {} },
        scripts = { btc_alert = { file = "alert.lua", from = { price = "btc" }, params = { level = 100 } } },
        channels = { screen = channel.console {}, log = channel.file { path = "alerts.log" } },
        routes = { { min_severity = "warning", to = { "log" } }, { to = { "screen" } } },
      }
      """)
    try folder.write(
      "config_test.lua",
      """
      local t = test.config("config.lua")
      it("goes to the file alone", function()
        t.receive("btc", { bitcoin = 1 })    t.state { price = 1.0, high = 1.0 }
        t.receive("btc", { bitcoin = 101 })  t.state { price = 101.0, high = 101.0 }
        t.alert { rule = "over level", script = "btc_alert", to = "log" }
      end)
      it("is delivered when the channel works again", function()
        t.fail("log", "disk full")           t.nothing()
        t.receive("btc", { bitcoin = 1 })    t.state { price = 1.0, high = 1.0 }
        t.receive("btc", { bitcoin = 101 })  t.state { price = 101.0, high = 101.0 }
        t.alert { rule = "over level", to = {} }
        t.fail("log", nil)                   t.nothing()
        t.advance("10m")                     t.delivered { channel = "log", rule = "over level" }
      end)
      """)
    let (report, text) = try await folder.run()
    #expect(report.exitStatus == 0, "\(text)")
    #expect(report.summary == "2 passed, 0 failed")
  }

  @Test("a gap is told under its key or under all of them, and rules say that a crossing was across it")
  func gap() async throws {
    try await passes(
      """
        t.receive("price", { s = "A", p = 1 })   t.state("A", { price = 1.0 })
        t.gap("price", { key = "A", missed = 3 })
        t.state("A", { gaps = 3 })
        t.gap("price", { reason = "restart" })   t.log("info", "gap of A null restart price")
                                                 t.nothing()
        t.receive("price", { s = "A", p = 9 })   t.state("A", { price = 9.0 })
                                                 t.alert { key = "A", text = "9.0 (happened across a gap in the data)" }
      """,
      script: """
        local M = { key = "s", state = { price = json.null, gaps = 0 }, on = {}, events = {} }
        local over = alert.rule {
          name = "over", crosses_above = 5, text = function(price) return tostring(price) end,
        }
        function M.on.price(state, message)
          state.price = num(message.p)
          over:check(state.price)
        end
        function M.events.gap(state, event, ctx)
          if not event.missed then
            log.info("gap of", ctx.key, event.missed, event.reason, event.source)
            return
          end
          state.gaps = state.gaps + event.missed
        end
        return M
        """)
  }

  @Test("a failing handler shows the script's line with its neighbours")
  func scriptLine() async throws {
    let script = """
      local M = { state = { price = 0 }, on = {} }
      function M.on.price(state, message)
        -- what it is about
        state.price = num(message.price)
      end
      return M
      """
    let (report, text) = try await TestFolder().run(
      TestFolder.test(#"t.receive("price", { bitcoin = 1 })  t.state { price = 1.0 }"#), script: script)
    #expect(report.exitStatus == 1)
    #expect(
      text.contains(
        """
                not claimed:
                  error in price: alert.lua:4: num: field 'price': expected a number or its text, got nil
                    3 |   -- what it is about
                  > 4 |   state.price = num(message.price)
                    5 | end
        """), "\(text)")
  }
}
