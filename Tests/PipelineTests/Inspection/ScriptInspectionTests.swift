import Scripting
import Testing

@testable import Pipeline

@Suite("What check warns of")
struct ScriptInspectionTests {
  /// The warnings about a handler's body, which begins in line 2, each as its line and text.
  private static func warnings(
    _ body: String, readsSources: Bool = true, numbers: Set<String> = [], around: (String) -> String = handler
  ) -> [String] {
    let subject = ScriptInspection.Subject(
      nullFields: ["price"], readsSources: readsSources, numbers: numbers,
      globals: ScriptInspection.Subject.everyGlobal)
    let inspection = ScriptInspection(around(body), file: "s.lua", subject: subject)
    return inspection.findings.map { "\($0.place.line ?? 0): \($0.message)" }
  }

  private static func handler(_ body: String) -> String {
    "local M, p = {}, params {} M.on = {} function M.on.price(state, message, ctx)\n\(body)\nend return M"
  }

  // MARK: - Text compared as numbers

  @Test(
    "A value of a message that is compared as it came",
    arguments: [
      ("if message.price > 70000 then end", "message.price"),
      ("if p.level <= message.data.price then end", "message.data.price"),
      ("local price = message.price if price < state.high then end", "message.price"),
      ("local done = message.bids[1] >= message.asks[1]", "message.bids[…]"),
      ("for _, trade in ipairs(message.trades) do if trade.price > 1 then end end", "trade.price"),
    ])
  func messages(body: String, path: String) {
    #expect(
      Self.warnings(body) == [
        "2: \(path) may come as a text, and texts are compared letter by letter, or not at all with numbers; "
          + "write num(\(path))"
      ])
  }

  @Test(
    "A number that was made of it, another order or another kind of value is fine",
    arguments: [
      "if num(message.price) > 70000 then end", "local price = num(message.price) if price < 1 then end",
      "local price = message.price price = num(price) if price < 1 then end",
      "if message.type == \"trade\" then end", "if message.side < \"m\" then end",
      "if #message.list > 0 then end",
      "if ctx.time > 5 then end", "if state.high > 5 then end",
    ])
  func numbers(body: String) { #expect(Self.warnings(body) == []) }

  @Test(
    "What the state keeps of a message as it came, and compares later",
    arguments: [
      (
        "state.last = message.price\nif state.high < state.last then end", "state.last", "message.price", 2, 3
      ),
      ("if state.last > 5 then end\nstate.last = message.price", "state.last", "message.price", 3, 2),
      (
        "local p = message.data.p\nstate.last = p local x = state.last <= 7", "state.last", "message.data.p",
        3, 3
      ),
      (
        "local last = state.last if last ~= 1 and last < 3 then end state.last = message.p", "state.last",
        "message.p", 2, 2
      ),
      (
        "state.last = 0 if message.p then state.last = message.p end\nstate.high = 1 if ctx.key then state.last = 1 end"
          + " do local y = state.last end if state.low > 1 then end state.low = message.q", "state.low",
        "message.q", 3, 3
      ),
    ])
  func kept(body: String, field: String, path: String, set: Int, compared: Int) {
    #expect(
      Self.warnings(body) == [
        "\(compared): \(field) is \(path) as it came (line \(set)), which may be a text, and texts are compared letter by "
          + "letter, or not at all with numbers; write \(field) = num(\(path))"
      ])
  }

  @Test(
    "What the state keeps as a number, or compares with a text or for equality, is fine",
    arguments: [
      "state.last = num(message.price) if state.last > 5 then end",
      "state.last = message.price state.last = num(state.last) if state.last > 5 then end",
      "state.side = message.side if state.side == \"buy\" or state.side < \"m\" then end",
      "state.last = message.price if state.last == message.price then end",
      "state.last = message.price state.list[1] = message.x if state.high > 5 then end",
      "state.last = message.price.x + 0 if state.last > 5 then end",
      "state.seen = message.list if #state.seen > 5 then end",
    ])
  func keptNumbers(body: String) { #expect(Self.warnings(body) == []) }

  @Test("Fields that a source makes numbers of are some")
  func madeNumbers() {
    let body =
      "if message.p > 1 or message.bids[1][2] > 1 or message.data.q.x > 1 then end state.p = message.p "
      + "for _, ask in ipairs(message.asks) do if ask[1] > 1 then end end if state.p > 1 then end"
    #expect(Self.warnings(body, numbers: ["p", "bids", "asks", "data.q"]) == [])
    #expect(Self.warnings("if message.price > 1 then end", numbers: ["p"]).count == 1)
  }

  @Test("What other scripts hand on has the types that they gave it")
  func topics() { #expect(Self.warnings("if message.price > 70000 then end", readsSources: false) == []) }

  @Test("A text of digits in a comparison")
  func digits() {
    #expect(
      Self.warnings("if state.high > \"70000\" then end") == [
        "2: this compares with the text \"70000\", letter by letter; leave out its quotes"
      ])
  }

  // MARK: - null

  @Test(
    "A field that begins as json.null and is taken for false",
    arguments: [
      "if state.price then end", "if not state.price then end", "while state.price do end",
      "repeat until state.price", "local x = state.price or 0", "local x = state.price and 1",
      "if ctx.key and state.price then end", "local last = state.price if last then end",
      "if x == 1 then elseif (state.price) then end".replacing("x", with: "p.x"),
    ])
  func truth(body: String) {
    #expect(
      Self.warnings(body) == [
        "2: state.price begins as json.null, which counts as true; write state.price ~= json.null"
      ])
  }

  @Test(
    "A comparison, another field or a value is fine",
    arguments: [
      "if state.price ~= json.null then end", "if state.other then end", "local x = ctx.key and state.price",
      "local x = ctx.key or state.price", "over(state.price)".replacing("over", with: "log.info"),
      "if message.price then end", "local price = num(state.price) if price then end",
    ])
  func comparisons(body: String) { #expect(Self.warnings(body) == []) }

  @Test(
    "Behind a comparison, or once it is set, a field isn't null any more",
    arguments: [
      "state.price = num(message.price) if state.price then end",
      "if state.price ~= json.null then local x = state.price or 0 end",
      "if ctx.key and json.null ~= state.price and state.price then end",
      "if state.price == json.null then return end if state.price then end",
      "while state.price ~= json.null do if not state.price then end end",
    ])
  func narrowing(body: String) { #expect(Self.warnings(body) == []) }

  @Test(
    "In another block, or set to null again, it may be",
    arguments: [
      "if ctx.key then state.price = 1 end if state.price then end",
      "state.price = 1 state.price = json.null if state.price then end",
      "if state.price ~= json.null then end if state.price then end",
      "if state.price == json.null then state.high = 1 end if state.price then end",
    ])
  func widening(body: String) { #expect(Self.warnings(body).map { $0.prefix(14) } == ["2: state.price"]) }

  @Test("json.null itself counts as true, and a field that begins as it is never nil")
  func null() {
    #expect(
      Self.warnings("if not json.null then end") == [
        "2: json.null counts as true; compare with it, as in state.price ~= json.null"
      ])
    #expect(
      Self.warnings("if state.price == nil then end") == [
        "2: state.price begins as json.null, which isn't nil; compare it with json.null"
      ])
    #expect(Self.warnings("if state.price == nil then end state.price = nil") == [])
  }

  // MARK: - state

  @Test(
    "An assignment to the state itself",
    arguments: ["state = {}", "state, p.x = {}, 1", "do state = nil end"])
  func state(body: String) {
    #expect(
      Self.warnings(body) == [
        "2: this only gives the name 'state' another table, and the state stays as it is; set its fields instead"
      ])
  }

  @Test("A handler's first parameter is the state whatever it is called, in each way to write a handler")
  func handlers() {
    for around: (String) -> String in [
      { "local M = { actions = {} } M.actions.go = function(s)\n\($0)\nend return M" },
      { "return { events = { start = function(s)\n\($0)\nend } }" },
      { "local M = {} M.on = { price = function(s)\n\($0)\nend } return M" },
    ] {
      #expect(
        Self.warnings("s = {}", around: around).map { $0.prefix(35) } == [
          "2: this only gives the name 's' ano"
        ])
    }
    #expect(Self.warnings("local s = state s = {}") == [])
    #expect(Self.warnings("local function f(t) t = {} end f(state)") == [])
    #expect(Self.warnings("state.a = {} local t = { state = 1 } t.state = 2") == [])
  }

  // MARK: - Globals

  @Test("A global that is set, once a name")
  func globals() {
    #expect(
      Self.warnings("count = 1\ncount = count + 1") == [
        "2: 'count' is a global, which is no state: it isn't stored, and isn't undone when a handler fails; "
          + "write local count, or keep it in M.state"
      ])
    #expect(Self.warnings("function helper() end helper()").count == 1)
    #expect(Self.warnings("local count = 1 do count = 2 end local function f() count = 3 end f()") == [])
    #expect(Self.warnings("do local inner = 1 end\ninner = 2").map { $0.prefix(10) } == ["3: 'inner'"])
  }

  @Test("A name that nobody declared, with the nearest one")
  func names() {
    #expect(
      Self.warnings("state.x = mesage.x") == [
        "2: there is no 'mesage', so this reads nil; did you mean 'message'?"
      ])
    #expect(
      Self.warnings("effect.afer(\"1s\", \"go\")") == [
        "2: there is no effect.afer; did you mean 'effect.after'?"
      ])
    #expect(Self.warnings("local time = { zone = 1 } log.info(time.zone)") == [])
    #expect(Self.warnings("for i, v in pairs(state.list) do local x = i + v end") == [])
  }

  @Test("A member that neither ctx nor an event has")
  func given() {
    #expect(
      Self.warnings("state.at = ctx.tme") == [
        "2: there is no ctx.tme, so this reads nil; did you mean 'time'?"
      ])
    let around: (String) -> String = {
      "local M = { events = { gap = function(s, event, c)\n\($0)\nend } } return M"
    }
    #expect(
      Self.warnings("s.kind = event.kind s.why = event.reason s.time = c.time", around: around).map {
        $0.prefix(24)
      } == ["2: there is no event.kin"])
    #expect(Self.warnings("local ctx = {} state.at = ctx.tme") == [])
    #expect(Self.warnings("local at = ctx[state.name]") == [])
  }

  // MARK: - Files

  @Test("A file that is too deep to be looked through says so")
  func depth() {
    let text = "\nlocal x = 1" + String(repeating: " + 1", count: 1_000)
    let inspection = ScriptInspection(text, file: "s.lua", subject: ScriptInspection.Subject())
    #expect(
      inspection.findings.map(\.description) == [
        "s.lua:2: the file isn't looked through: an expression is too long"
      ])
  }

  @Test("A script is looked through with the modules it requires, and no others")
  func modules() {
    let file = ScriptFile(
      name: "a.lua", source: "local b = require \"b\" x = 1",
      modules: ["b": "local c = require(\"c\")\ny = 2", "c": "z = 3", "d": "w = 4"])
    let findings = ScriptInspection.inspect(
      file, path: "dir/a.lua",
      subject: ScriptInspection.Subject(globals: ScriptInspection.Subject.everyGlobal))
    #expect(findings.map { "\($0.place)" } == ["dir/a.lua:1", "dir/b.lua:2", "dir/c.lua:1"])
  }

  @Test(
    "The scripts of the examples and benchmarks call only what is declared", arguments: LuaSamples.scripts)
  func examples(path: String) throws {
    var globals = ScriptInspection.Subject.everyGlobal.union(Registry.builtIn.components.map(\.constructor))
    globals.formUnion(["env", "source.preset"])
    let source = try TextFile.read(path, maximumBytes: 1 << 20)
    let inspection = ScriptInspection(source, file: path, subject: ScriptInspection.Subject(globals: globals))
    #expect(inspection.findings == [])
  }
}
