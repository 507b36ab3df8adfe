import Pipeline
import Testing

@Suite("The engine")
struct EngineTests {
  static let watch = """
    local M = {} M.state = { price = 0 } M.on = {}
    local over = alert.rule { name = "over", crosses_above = 100, resolve = false,
      text = function(price) return ("at %d"):format(price) end }
    function M.on.price(state, m)
      state.price = num(m.p)
      over:check(state.price)
    end
    return M
    """

  @Test("one action carries what one read gave, and nothing leaves when nothing happened")
  func batch() async throws {
    let trial = try await EngineTrial(script: Self.watch)
    let messages = (0..<1_000).map { #"{"p":\#($0 % 50)}"# }
    await trial.read(messages, from: 1_000, step: 0)
    #expect(await trial.alertTexts.isEmpty)
    #expect(await trial.commitCount == 0)
    #expect(await trial.nextDue == Timestamp(milliseconds: 2_000), "the flush is the only thing due")
  }

  @Test("an alert leaves only after the commit that holds it")
  func commitBeforeDelivery() async throws {
    let trial = try await EngineTrial(script: Self.watch)
    await trial.read([#"{"p":50}"#, #"{"p":150}"#], from: 1_000, position: "2")
    #expect(await trial.alertTexts == ["at 150"])
    #expect(await trial.commitCount == 1)
    #expect(await trial.positions(ofCommit: 0) == ["feed": "2"])
    #expect(await trial.deliveryCount == 0)
    await trial.send(.stored(changes: trial.changes(ofCommit: 0), nil))
    #expect(await trial.deliveryCount == 1)
  }

  @Test("what a script sends and publishes leaves only after the commit that holds its turn")
  func outputs() async throws {
    let trial = try await EngineTrial(
      script: """
        local M = { on = {} }
        function M.on.price(state, m)
          effect.send("feed", { op = "ping", n = m.n })
          effect.publish("screen", { n = m.n })
          if m.fail then error("no") end
        end
        return M
        """)
    await trial.read([#"{"n":1}"#, #"{"n":2,"fail":true}"#, #"{"n":3}"#], from: 1_000)
    #expect(await trial.commitCount == 1)
    #expect(await trial.sent == [])
    #expect(await trial.deliveryCount == 0)
    await trial.send(.stored(changes: trial.changes(ofCommit: 0), nil))
    #expect(await trial.sent == [#"0: {"n":1,"op":"ping"}"#, #"0: {"n":3,"op":"ping"}"#])
    #expect(await trial.deliveredTexts == [#"{"n":1}"#])
    #expect(await trial.alertTexts == [])
  }

  @Test(
    "where no state is kept, what a script sends leaves in its turn, but for connections, which come first")
  func outputsWithoutState() async throws {
    let trial = try await EngineTrial(
      script: """
        local M = { on = {} }
        function M.on.price(state, m)
          if m.close then effect.disconnect("feed") end
          effect.send("feed", m.n)
        end
        return M
        """, keepsState: false)
    await trial.read([#"{"n":1}"#, #"{"n":2}"#], from: 1_000)
    #expect(await trial.sent == ["0: 1", "0: 2"])
    #expect(await trial.commitCount == 0)
    await trial.read([#"{"n":3,"close":true}"#], from: 3_000)
    #expect(await trial.sent == ["0: 1", "0: 2"])
    await trial.send(.stored(changes: trial.changes(ofCommit: 0), nil))
    #expect(await trial.sent == ["0: 1", "0: 2", "0: 3"])
  }

  @Test("numbers leave in their shortest form, without an exponent where they are of a usual size")
  func sentNumbers() async throws {
    let trial = try await EngineTrial(
      script: """
        local M = { on = {} }
        function M.on.price(state, m)
          effect.send("feed", { a = 0.0001, b = 100000.0, c = 123456789012345680.0, d = 1.5, e = 1e-7, f = { 2e6 } })
          effect.send("feed", 0.0001)
          effect.send("feed", "1e-04")
        end
        return M
        """, keepsState: false)
    await trial.read(["{}"], from: 1_000)
    #expect(
      await trial.sent == [
        #"0: {"a":0.0001,"b":100000.0,"c":1.2345678901234568e+17,"d":1.5,"e":1e-07,"f":[2000000.0]}"#,
        "0: 0.0001", "0: 1e-04",
      ])
  }

  @Test(
    "two inputs of a script that one source feeds get each message before the next one, however many come at once"
  )
  func twoInputs() async throws {
    let trial = try await EngineTrial(
      script: """
        local M = { on = {} }
        function M.on.first(state, m) effect.send("feed", "first " .. m.n) end
        function M.on.second(state, m) effect.send("feed", "second " .. m.n) end
        return M
        """, keepsState: false)
    await trial.read([#"{"n":1}"#, #"{"n":2}"#], from: 1_000)
    #expect(await trial.sent == ["0: first 1", "0: second 1", "0: first 2", "0: second 2"])
  }

  @Test("a failed commit is tried again with the flush, and what waits leaves then")
  func failingStorage() async throws {
    let trial = try await EngineTrial(script: Self.watch)
    await trial.read([#"{"p":50}"#, #"{"p":150}"#], from: 1_000)
    await trial.send(.stored(changes: 1, StorageError(.full, "the disk is full")))
    #expect(await trial.alertTexts.contains("the disk is full"))
    let commits = await trial.commitCount
    await trial.tick(at: 2_500)
    #expect(await trial.commitCount == commits, "not before the flush")
    await trial.tick(at: 3_100)
    #expect(await trial.commitCount == commits + 1)
    await trial.send(.stored(changes: trial.changes(ofCommit: commits), nil))
    #expect(await trial.deliveryCount >= 1)
    #expect(await trial.logs.contains("writing works again"))
  }

  @Test("what changed is written with the flush when no alert asks for it")
  func flush() async throws {
    let trial = try await EngineTrial(script: Self.watch)
    await trial.read([#"{"p":50}"#], from: 1_000)
    await trial.tick(at: 1_900)
    #expect(await trial.commitCount == 0)
    await trial.tick(at: 2_000)
    #expect(await trial.commitCount == 1)
  }

  @Test("a due time between two messages of one read comes between them")
  func dueWithinBatch() async throws {
    let trial = try await EngineTrial(
      script: """
        local M = {} M.state = { seen = 0 } M.on = {} M.actions = {}
        function M.on.price(state, m)
          state.seen = state.seen + 1
          if state.seen == 1 then effect.after("1500ms", "report") end
        end
        function M.actions.report(state, payload, ctx)
          alert.send { name = "report", text = "seen " .. state.seen .. " at " .. ctx.time }
        end
        return M
        """)
    await trial.read(["{}", "{}", "{}", "{}"], from: 1_000)
    #expect(await trial.alertTexts == ["seen 2 at 2500"])
  }

  @Test("for_duration fires at its time, and a fall before that drops it")
  func forDuration() async throws {
    let trial = try await EngineTrial(
      script: """
        local M = {} M.state = { price = 0 } M.on = {}
        local long = alert.rule { name = "long", above = 100, for_duration = "10s", resolve = false }
        function M.on.price(state, m) long:check(num(m.p)) end
        return M
        """)
    await trial.read([#"{"p":150}"#, #"{"p":50}"#, #"{"p":150}"#], from: 0)
    await trial.tick(at: 11_999)
    #expect(await trial.alertTexts.isEmpty)
    await trial.tick(at: 12_000)
    #expect(await trial.alertTimes == [12_000])
  }

  @Test("a rule may let the script decide")
  func decidedByScript() async throws {
    let trial = try await EngineTrial(
      script: """
        local M = {} M.state = { last = 0 } M.on = {}
        local odd = alert.rule { name = "odd", when = function(value) return value % 2 == 1 end, resolve = false,
          text = function(value) return ("%d is odd"):format(value) end }
        function M.on.price(state, m) odd:check(num(m.p)) end
        return M
        """)
    await trial.read([#"{"p":2}"#, #"{"p":3}"#, #"{"p":5}"#, #"{"p":4}"#, #"{"p":7}"#], from: 0)
    #expect(await trial.alertTexts == ["3 is odd", "7 is odd"])
  }

  @Test("a message that the source sent before changes state and fires nothing")
  func replayed() async throws {
    let trial = try await EngineTrial(script: Self.watch)
    await trial.read([#"{"p":50}"#], from: 1_000)
    await trial.read([#"{"p":150}"#], from: 2_000, replayed: true)
    #expect(await trial.alertTexts == [])
    await trial.read([#"{"p":151}"#], from: 3_000)
    #expect(await trial.alertTexts == ["at 151"])
  }

  @Test("a key that no message has is told once, and what was skipped at the end")
  func keyless() async throws {
    let script = """
      local M = { state = { n = 0 }, key = "s", on = {} }
      function M.on.price(state) state.n = state.n + 1 end
      return M
      """
    let trial = try await EngineTrial(script: script)
    await trial.read(Array(repeating: #"{"symbol":"a"}"#, count: 99), from: 0)
    #expect(await !trial.logs.contains { $0.contains("M.key") })
    await trial.read(Array(repeating: #"{"symbol":"a"}"#, count: 300), from: 100_000)
    #expect(
      await trial.logs.filter { $0.hasPrefix("M.key finds no key in any of the first 399 messages") }.count
        == 1)
    await trial.send(.stop)
    #expect(await trial.logs.contains("399 of 399 messages had no key and were skipped"))
    let mixed = try await EngineTrial(script: script)
    await mixed.read(Array(repeating: #"{"heartbeat":1}"#, count: 99) + [#"{"s":"a"}"#], from: 0)
    #expect(await !mixed.logs.contains { $0.contains("M.key") })
  }

  @Test("a message that fails is quarantined with place and reason, and the next one is handled")
  func quarantine() async throws {
    let trial = try await EngineTrial(script: Self.watch)
    await trial.read([#"{"p":"x"}"#, "{bad", #"{"p":50}"#, #"{"p":150}"#], from: 1_000)
    #expect(await trial.alertTexts == ["at 150"])
    let rows = await trial.quarantine(ofCommit: 0)
    #expect(rows.count == 2)
    #expect(rows.contains { $0.place == "trial.lua:5" && $0.reason.contains("field 'p'") })
    #expect(rows.contains { $0.reason.contains("offset 1") && $0.message == Array("{bad".utf8) })
  }

  @Test("a script that keeps running into its limits is left alone, and the host says so")
  func suspension() async throws {
    let trial = try await EngineTrial(
      script: """
        local M = {} M.state = { n = 0 } M.on = {}
        function M.on.price(state, m) if m.bad then while true do end end state.n = state.n + 1 end
        return M
        """)
    await trial.read(Array(repeating: #"{"bad":true}"#, count: 5), from: 1_000, step: 10)
    let alerts = await trial.alertTexts
    #expect(alerts.count == 1)
    #expect(alerts[0].contains("left alone for 10s"))
  }
}
