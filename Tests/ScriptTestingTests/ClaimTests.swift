import ScriptTesting
import Testing

@Suite("What a test claims")
struct ClaimTests {
  /// Runs one test, which must fail, and returns the report's text.
  private func failure(
    _ body: String, script: String = TestFolder.priceAlert, location: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let (report, text) = try await TestFolder().run(TestFolder.test(body), script: script)
    #expect(report.exitStatus == 1, "\(text)", sourceLocation: location)
    #expect(report.summary == "0 passed, 1 failed", "\(text)", sourceLocation: location)
    return text
  }

  @Test("a changed claim fails with the difference by path, the line and what to write")
  func changedClaim() async throws {
    let text = try await failure(
      "t.receive(\"price\", { bitcoin = \"69000\" })\nt.state { price = 69001.0, high = 69000.0 }")
    #expect(
      text == """
        case_test.lua
          FAIL  works
                case_test.lua:4: t.state: the state is not as claimed:
                  price: expected 69001.0, got 69000.0
                  3 | t.receive("price", { bitcoin = "69000" })
                > 4 | t.state { price = 69001.0, high = 69000.0 }
                  5 | end)
                not claimed:
                  state changed: high: 0 → 69000.0, price: json.null → 69000.0
                to claim it, write:
                  t.state { high = 69000.0, price = 69000.0 }
                so far:
                  +0:00:00.000  t.receive("price", {"bitcoin":"69000"})
        0 passed, 1 failed

        """)
  }

  @Test("an integer is not a float, and the failure says so")
  func lossless() async throws {
    let text = try await failure(
      "t.receive(\"price\", { bitcoin = 69000 })\nt.state { price = 69000, high = 69000.0 }")
    #expect(
      text.contains(
        "price: expected 69000, got 69000.0 (equal, but claimed as an integer and kept as a float"))
  }

  @Test("what a script emits is claimed in order, with its value")
  func emitted() async throws {
    let script = """
      local M = { on = {} }
      function M.on.price(state, message)
        emit("first", { price = num(message.bitcoin) })
        emit("second", json.array {})
      end
      return M
      """
    let text = try await failure(
      "t.receive(\"price\", { bitcoin = \"1\" })\nt.emitted(\"first\", { price = 2.0 })", script: script)
    #expect(text.contains("value.price: expected 2.0, got 1.0"), "\(text)")
    #expect(text.contains("t.emitted(\"first\", { price = 1.0 })"), "\(text)")
    #expect(text.contains("t.emitted(\"second\", json.array {})"), "\(text)")
  }

  @Test("what a script sends and publishes is claimed as an effect, with its payload")
  func outputs() async throws {
    let script = """
      local M = { on = {} }
      function M.on.price(state, message)
        effect.send("exchange", { op = "subscribe" })
        effect.publish("bars", { close = num(message.bitcoin) })
        effect.send("exchange", "ping")
      end
      return M
      """
    let text = try await failure(
      """
      t.receive("price", { bitcoin = "1" })
      t.effect { send = "exchange", message = { op = "subscribe" } }
      t.effect { publish = "bars", value = { close = 2.0 } }
      """, script: script)
    #expect(text.contains("value.close: expected 2.0, got 1.0"), "\(text)")
    #expect(text.contains("t.effect { publish = \"bars\", value = { close = 1.0 } }"), "\(text)")
    #expect(text.contains("t.effect { send = \"exchange\", message = \"ping\" }"), "\(text)")
  }

  @Test("nested state is compared path by path")
  func nested() async throws {
    let script = """
      local M = { state = { box = {} }, on = {} }
      function M.on.price(state) state.box = { a = { 1, 2 }, b = "x" } end
      return M
      """
    let text = try await failure(
      "t.receive(\"price\", {})\nt.state { box = { a = { 1, 3, 4 }, c = true } }", script: script)
    #expect(text.contains("box.a[2]: expected 3, got 2"))
    #expect(text.contains("box.a[3]: expected 4, got nothing"))
    #expect(text.contains("box.b: expected nothing, got \"x\""))
    #expect(text.contains("box.c: expected true, got nothing"))
  }

  @Test("an unclaimed alert fails at the line of the verb, also at the end of the test")
  func unclaimedAlert() async throws {
    let body = """
      t.receive("price", { bitcoin = 1 })  t.state { price = 1.0, high = 1.0 }
      t.receive("price", { bitcoin = 70001 })  t.state { price = 70001.0, high = 70001.0 }
      """
    for rest in ["", "\nt.advance(\"1s\")\nt.nothing()"] {
      let text = try await failure(body + rest)
      #expect(
        text.contains(
          "case_test.lua:4: what receive(\"price\", {\"bitcoin\":70001}) did was not claimed in full"))
      #expect(text.contains("t.alert { rule = \"over level\", text = \"bitcoin at 70001.00\" }"))
    }
  }

  @Test("a state that changed beside the claim fails")
  func unclaimedState() async throws {
    let text = try await failure("t.receive(\"price\", { bitcoin = 1 })  t.state { price = 1.0 }")
    #expect(text.contains("state changed: high: 0 → 1.0"))
    #expect(text.contains("t.state { high = 1.0 }"))
  }

  @Test("an alert that did not come, or says something else, fails")
  func alerts() async throws {
    let none = try await failure("t.receive(\"price\", { bitcoin = 1 })  t.alert { rule = \"over level\" }")
    #expect(none.contains("t.alert: expected an alert { rule = \"over level\" }, but nothing more happened"))
    let body = """
      t.receive("price", { bitcoin = 1 })  t.state { price = 1.0, high = 1.0 }
      t.receive("price", { bitcoin = 70001 })
      """
    let other = try await failure(body + "\nt.alert { rule = \"over level\", severity = \"info\" }")
    #expect(other.contains("severity: expected \"info\", got \"warning\""))
    let kind = try await failure(body + "\nt.resolved { rule = \"over level\" }")
    #expect(
      kind.contains("expected a resolved alert { rule = \"over level\" }, but next came alert 'over level'"))
    let unknown = try await failure(body + "\nt.alert { rul = \"over level\" }")
    #expect(unknown.contains("unknown field 'rul'; known: key, kind, labels, name, rule"))
  }

  private static let keyed = """
    local M = { state = { n = 0 }, on = {}, key = "id" }
    function M.on.price(state, message)
      if message.n < 0 then error("negative " .. message.n) end
      log.debug("got", message.n)
      if message.n == 9 then effect.disconnect("price") end
      state.n = message.n
    end
    return M
    """

  @Test("state is claimed by key, log lines and effects in their order")
  func keys() async throws {
    let (report, text) = try await TestFolder().run(
      TestFolder.test(
        """
        t.receive("price", { id = "a", n = 1 })  t.state("a", { n = 1 })  t.log("debug", "got 1")
        t.receive("price", { id = "b", n = 9 })  t.log("got 9")  t.effect { disconnect = "price" }
                                                 t.state("b", { n = 9 })
        """), script: Self.keyed)
    #expect(report.exitStatus == 0, "\(text)")
    let order = try await failure(
      "t.receive(\"price\", { id = \"b\", n = 9 })  t.effect { disconnect = \"price\" }", script: Self.keyed)
    #expect(
      order.contains("expected an effect { disconnect = \"price\" }, but next came log.debug \"got 9\""))
    #expect(order.contains("t.state(\"b\", { n = 9 })"))
    let missing = try await failure("t.state(\"z\", { n = 9 })", script: Self.keyed)
    #expect(missing.contains("there is no state under the key \"z\""))
  }

  @Test("a failed handler is claimed by its error, and nothing of it remains")
  func errors() async throws {
    let (report, text) = try await TestFolder().run(
      TestFolder.test("t.receive(\"price\", { id = \"a\", n = -1 })\nt.error(\"negative -1\")\nt.nothing()"),
      script: Self.keyed)
    #expect(report.exitStatus == 0, "\(text)")
    let unclaimed = try await failure(
      "t.receive(\"price\", { id = \"a\", n = -1 })\nt.nothing()", script: Self.keyed)
    #expect(unclaimed.contains("t.nothing: expected nothing, but something happened"))
    #expect(unclaimed.contains("alert.lua:3: negative -1"))
    let other = try await failure(
      "t.receive(\"price\", { id = \"a\", n = -1 })\nt.error(\"positive\")", script: Self.keyed)
    #expect(other.contains("text: expected \"positive\" in it, got"))
    let faulty = try await TestFolder().run(TestFolder.test("t.receive(\"price\", \"{\")\nt.error(\"\")"))
    #expect(faulty.0.exitStatus == 0, "\(faulty.text)")
  }

  @Test("a field set to nil is claimed as json.null, and an empty list is no empty table")
  func emptyValues() async throws {
    let script = """
      local M = { state = { a = 1, list = {} }, on = {} }
      function M.on.price(state) state.a = nil  state.list = json.array {} end
      return M
      """
    let (report, text) = try await TestFolder().run(
      TestFolder.test("t.receive(\"price\", {})\nt.state { a = json.null, list = json.array {} }"),
      script: script)
    #expect(report.exitStatus == 0, "\(text)")
    let empty = try await failure(
      "t.receive(\"price\", {})\nt.state { a = json.null, list = {} }", script: script)
    #expect(
      empty.contains("list: expected {}, got json.array {} (a list; write json.array {} for an empty one)"))
    let unclaimed = try await failure("t.receive(\"price\", {})\nt.nothing()", script: script)
    #expect(unclaimed.contains("a: 1 → nothing"), "\(unclaimed)")
    #expect(unclaimed.contains("t.state { a = json.null, list = json.array {} }"), "\(unclaimed)")
  }

  @Test("two scripts' states are told apart by name")
  func twoScripts() async throws {
    let folder = try TestFolder()
    try folder.write("alert.lua", TestFolder.priceAlert)
    try folder.write(
      "config.lua",
      """
      return {
        sources = { btc = source.simulated {} },
        scripts = {
          one = { file = "alert.lua", from = { price = "btc" } },
          two = { file = "alert.lua", from = { price = "btc" } },
        },
      }
      """)
    try folder.write(
      "config_test.lua",
      """
      local t = test.config("config.lua")
      it("claims both", function()
        t.receive("btc", { bitcoin = 1 })
        t.state({ price = 1.0, high = 1.0 }, { script = "one" })
        t.state("", { price = 1.0, high = 1.0 }, { script = "two" })
      end)
      it("must say which", function() t.state { high = 0 } end)
      it("forgets one", function()
        t.receive("btc", { bitcoin = 1 })
        t.state({ price = 1.0, high = 1.0 }, { script = "one" })
      end)
      it("has no such channel", function() t.fail("phone") end)
      """)
    let (report, text) = try await folder.run()
    #expect(report.summary == "1 passed, 3 failed", "\(text)")
    #expect(text.contains("t.state: say whose state it is"))
    #expect(text.contains("t.state(\"\", { high = 1.0, price = 1.0 }, { script = \"two\" })"))
    #expect(text.contains("t.fail: there is no channel 'phone'"))
  }

  @Test("a state without fields claims that nothing of it changed")
  func noFields() async throws {
    let (report, text) = try await TestFolder().run(
      TestFolder.test("t.advance(\"1s\")  t.state {}"))
    #expect(report.exitStatus == 0, "\(text)")
    let changed = try await failure("t.receive(\"price\", { bitcoin = 1 })  t.state {}")
    #expect(changed.contains("state changed: high: 0 → 1.0, price: json.null → 1.0"))
  }

  @Test("a claim of a field that the script does not declare, or an input it does not have, fails")
  func unknownNames() async throws {
    let field = try await failure("t.state { prise = 1 }")
    #expect(field.contains("the script declares no field 'prise'; M.state has high, price"))
    let input = try await failure("t.receive(\"prize\", {})")
    #expect(input.contains("there is no input or source 'prize'; known: price"))
  }
}
