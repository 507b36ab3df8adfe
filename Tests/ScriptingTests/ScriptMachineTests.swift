import Scripting
import Testing

@Suite("A script's machine")
struct ScriptMachineTests {
  static let counter = """
    local M = {}
    M.state = { count = 0, price = json.null, note = "none", window = {} }
    M.key = "k"
    M.on = {}
    function M.on.feed(state, m)
      state.count = state.count + 1
      state.price = m.v
      state.note = "value " .. m.v
      table.insert(state.window, m.v)
      if #state.window > 1000 then table.remove(state.window, 1) end
      if m.fail then
        state.window[1] = -1
        state.window = { "gone" }
        error("refused")
      end
    end
    return M
    """

  @Test("a failed message leaves state as if it had never come, one in ten over many keys and a long window")
  func undo() throws {
    let broken = try ScriptTrial(Self.counter)
    let clean = try ScriptTrial(Self.counter)
    for index in 0..<4_000 {
      let key = "k\(index % 3)"
      let fails = index % 10 == 7
      let failure = broken.receive(#"{"k":"\#(key)","v":\#(index)\#(fails ? #","fail":true"# : "")}"#)
      #expect((failure != nil) == fails)
      if !fails { clean.receive(#"{"k":"\#(key)","v":\#(index)}"#) }
    }
    for key in ["k0", "k1", "k2"] { #expect(try broken.state(key) == clean.state(key)) }
    guard case .list(let window)? = try clean.state("k1")["window"] else {
      Issue.record("expected a window")
      return
    }
    #expect(window.count == 1_000)
  }

  @Test("a default may be a list or a map with something in it, and each key gets its own copy")
  func filledDefaults() throws {
    let trial = try ScriptTrial(
      """
      local M = { state = { levels = { 1, "two", { deep = { 3 } } }, names = { a = 1, [2.5] = true } }, on = {}, key = "k" }
      function M.on.feed(s, m) table.insert(s.levels, m.k) s.names[m.k] = #s.levels end
      return M
      """)
    for key in ["x", "y", "x"] { #expect(trial.receive(#"{"k":"\#(key)"}"#) == nil) }
    let start: [Value] = [1, "two", ["deep": [3]]]
    #expect(try trial.state("x")["levels"] == .list(start + ["x", "x"]))
    #expect(try trial.state("y")["levels"] == .list(start + ["y"]))
    #expect(try trial.state("y")["names"] == ["$pairs": [[.number(2.5), true], ["a", 1], ["y", 4]]])
    #expect(trial.machine.result["state"]?["levels"] == .list(start))
  }

  @Test("a list that grows up to what stands behind its end takes that in, as after a restart")
  func holes() throws {
    let source = """
      local M = { state = { list = {} }, on = {} }
      function M.on.feed(s, m)
        s.list[2] = "b"
        s.list[4] = "d"
        table.insert(s.list, "a")
        if m.more then table.insert(s.list, 1, "0") end
        if m.fail then error("no") end
      end
      return M
      """
    let trial = try ScriptTrial(source)
    #expect(trial.receive(#"{"more":true,"fail":true}"#) != nil)
    #expect(try trial.state()["list"] == .map([:]))
    #expect(trial.receive("{}") == nil)
    #expect(try trial.state()["list"] == ["$pairs": [[1, "a"], [2, "b"], [4, "d"]]])
    for row in [trial.machine.row(of: 0), #"{"list":{"$pairs":[[1,"a"],[2,"b"],[4,"d"]]}}"#] {
      let next = try ScriptTrial(
        source.replacing("s.list[2] = \"b\"", with: "").replacing("s.list[4] = \"d\"", with: ""))
      var row = row
      try row.withUTF8 { bytes in try next.machine.restore(key: "", row: UnsafeRawBufferPointer(bytes)) }
      #expect(next.receive("{}") == nil)
      #expect(try next.state()["list"] == ["a", "b", "a", "d"])
    }
  }

  @Test("a row that is restored between messages is seen by the next one")
  func restoredLater() throws {
    let trial = try ScriptTrial(
      "local M = { state = { n = 0 }, on = {} } function M.on.feed(s) s.n = s.n + 1 end return M")
    #expect(trial.receive("{}") == nil)
    var row = #"{"n":41}"#
    try row.withUTF8 { bytes in try trial.machine.restore(key: "", row: UnsafeRawBufferPointer(bytes)) }
    #expect(trial.receive("{}") == nil)
    #expect(try trial.state() == ["n": 42])
  }

  @Test("a hundred thousand keys keep their own state")
  func manyKeys() throws {
    let trial = try ScriptTrial(
      "local M = {} M.state = { n = 0 } M.key = 'k' M.on = {} function M.on.feed(s, m) s.n = s.n + m.v end return M"
    )
    let batch = MessageBatch()
    for round in 1...2 {
      batch.removeAll()
      for key in 0..<100_000 { batch.append(#"{"k":"key\#(key)","v":\#(round)}"#, time: 1) }
      _ = batch.decode()
      let handler = try #require(trial.machine.handler("on", "feed"))
      let (next, failure) = trial.machine.handle(batch, in: 0..<batch.count, with: handler)
      #expect(next == 100_000)
      #expect(failure == nil)
    }
    #expect(trial.machine.keyCount == 100_000)
    #expect(try trial.state("key77777") == ["n": .integer(3)])
    #expect(trial.machine.memoryBytes < 1 << 20, "state lives outside of the virtual machine")
  }

  @Test("a machine that was given up is rebuilt and goes on with the committed state")
  func rebuild() throws {
    let trial = try ScriptTrial(
      """
      local M = {} M.state = { n = 0, list = {} } M.on = {}
      function M.on.feed(s, m)
        s.n = s.n + 1
        s.list[#s.list + 1] = s.n
        if m.bomb then local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(50000) .. i end end
      end
      return M
      """)
    #expect(trial.receive("{}") == nil)
    #expect(trial.receive(#"{"bomb":true}"#)?.cause == .memory)
    #expect(trial.machine.rebuildCount == 1)
    #expect(trial.receive("{}") == nil)
    #expect(try trial.state() == ["n": .integer(2), "list": [.integer(1), .integer(2)]])
  }

  @Test("a handler that was slow but within its steps gets through, once")
  func slow() throws {
    let trial = try ScriptTrial(
      """
      local M = {} M.state = { n = 0 } M.on = {}
      function M.on.feed(s, m)
        s.n = s.n + 1
        alert.send("here")
        for i = 1, 4000000 do end
      end
      return M
      """)
    #expect(trial.receive("{}") == nil)
    #expect(try trial.state() == ["n": .integer(1)])
    #expect(trial.sent.count == 1)
  }

  @Test("state that isn't declared is an error that names the likely field")
  func undeclared() throws {
    let trial = try ScriptTrial(state: "{ price = 0 , last = 1, count = 0}", body: "state.pricee = 1")
    let failure = try #require(trial.receive("{}"))
    #expect(failure.reason.contains("did you mean 'price'?"), "\(failure.reason)")
    #expect(failure.reason.hasPrefix("trial.lua:"))
  }

  @Test("a nil field stays nil, also in its stored row")
  func nilField() throws {
    let trial = try ScriptTrial(state: "{ a = 1, last = 0, count = 0 }", body: "state.a = nil return state.a")
    #expect(trial.receive("{}") == nil)
    let row = trial.machine.row(of: trial.machine.key(""))
    #expect(row == #"{"count":0,"":["a","last"]}"#)
    let restored = try ScriptTrial(state: "{ a = 1, last = 0, count = 0 }", body: "return state.a == nil")
    try Array(row.utf8).withUnsafeBytes { try restored.machine.restore(key: "", row: $0) }
    #expect(restored.receive("{}") == nil)
    #expect(try restored.state()["last"] == .bool(true))
  }

  @Test("a stored row gives back every kind of value")
  func restore() throws {
    let body = """
      state.last = { [1] = "a", [3] = "c", x = 1, [true] = 2, [1.5] = 3, deep = { { 1.0, -0.0, json.null } },
        empty = {}, list = json.array {} }
      return state.last
      """
    let trial = try ScriptTrial(body: body)
    #expect(trial.receive("{}") == nil)
    let row = trial.machine.row(of: trial.machine.key(""))
    let restored = try ScriptTrial(body: "return 1")
    try Array(row.utf8).withUnsafeBytes { try restored.machine.restore(key: "", row: $0) }
    #expect(restored.machine.row(of: restored.machine.key("")) == row)
  }

  @Test("pairs walks the list, then numbers, booleans and text in order")
  func order() throws {
    let trial = try ScriptTrial(
      body: """
        local t = { 10, 20, b = 1, a = 2, [true] = 3, [2.5] = 4, [-1] = 5, ["10"] = 6 }
        local keys = {}
        for k in pairs(t) do keys[#keys + 1] = tostring(k) end
        for k in next, { z = 1, y = 2 } do keys[#keys + 1] = k end
        return table.concat(keys, " ")
        """)
    #expect(trial.receive("{}") == nil)
    #expect(try trial.state()["last"] == "1 2 -1 2.5 true 10 a b y z")
  }

  @Test("a message kept beyond its call is refused, a message put into state is copied")
  func keptMessage() throws {
    let kept = try ScriptTrial(body: "local old = kept kept = event return old and old.x")
    #expect(kept.receive(#"{"x":1}"#) == nil)
    #expect(kept.receive(#"{"x":2}"#)?.reason.contains("earlier call") == true)
    let stored = try ScriptTrial(body: "return event")
    #expect(stored.receive(#"{"x":[1,{"y":2.0}]}"#) == nil)
    #expect(try stored.state()["last"] == ["x": [.integer(1), ["y": .number(2)]]])
  }

  @Test(
    "num makes floats of numbers and their texts, and names the field otherwise",
    arguments: [
      (#""67123.45""#, "67123.45"), ("67123.45", "67123.45"), ("5", "5.0"), (#"" 1e3 ""#, "1000.0"),
      (#""abc""#, "field 'v': expected a number or its text, got \"abc\""), ("null", "got null"),
      (#""0x10""#, "expected a number"), (#""nan""#, "expected a number"), ("{}", "got table"),
    ])
  func num(_ value: String, _ expected: String) throws {
    let trial = try ScriptTrial(body: "return num(event.v)")
    if let failure = trial.receive(#"{"v":\#(value)}"#) {
      #expect(failure.reason.contains(expected), "\(failure.reason)")
    } else {
      #expect(try trial.state()["last"]?.json == expected)
    }
  }

  @Test("each_key walks all states, read only")
  func eachKey() throws {
    let trial = try ScriptTrial(
      """
      local M = {} M.state = { n = 0, sum = 0 } M.key = "k" M.on = {}
      function M.on.feed(s, m)
        s.n = m.v
        local sum = 0
        for key, other in each_key() do
          if key ~= m.k then sum = sum + other.n end
          if m.write then other.n = 5 end
        end
        s.sum = sum
      end
      return M
      """)
    trial.receive(#"{"k":"a","v":1}"#)
    trial.receive(#"{"k":"b","v":2}"#)
    trial.receive(#"{"k":"c","v":3}"#)
    #expect(try trial.state("c")["sum"] == .integer(3))
    #expect(trial.receive(#"{"k":"c","v":3,"write":true}"#) != nil)
  }

  @Test("a failed message's random numbers come again, and runs repeat")
  func random() throws {
    let source = "local r = math.random(1000000) if event.fail then error('x') end return r"
    let one = try ScriptTrial(body: source)
    let other = try ScriptTrial(body: source)
    one.receive(#"{"fail":true}"#)
    one.receive("{}")
    other.receive("{}")
    #expect(try one.state() == other.state())
  }

  @Test("the deadline stops before a message that reaches it")
  func deadline() throws {
    let trial = try ScriptTrial(body: "return event.n")
    let batch = MessageBatch()
    for n in 0..<10 { batch.append(#"{"n":\#(n)}"#, time: Int64(n)) }
    _ = batch.decode()
    trial.machine.setDeadline(5)
    let handler = try #require(trial.machine.handler("on", "feed"))
    #expect(trial.machine.handle(batch, in: 0..<10, with: handler).next == 5)
    #expect(try trial.state()["last"] == .integer(4))
  }

  @Test("a rule is declared once, checked by value, and asked for its text when it fires")
  func rules() throws {
    let trial = try ScriptTrial(
      """
      local M = {} M.state = { n = 0 } M.on = {}
      local over = alert.rule { name = "over", crosses_above = 5,
        text = function(value, data) return ("%.1f of %s"):format(value, data and data.unit or "?") end }
      function M.on.feed(s, m)
        if m.unit then over:check(m.v, { unit = m.unit }) else over:check(m.v) end
        over:check(nil)
      end
      return M
      """)
    trial.host.level = 5
    #expect(trial.host.rules == [["name": "over", "crosses_above": .integer(5), "$functions": ["text"]]])
    for message in [#"{"v":1}"#, #"{"v":7.25,"unit":"EUR"}"#, #"{"v":6}"#] {
      #expect(trial.receive(message) == nil)
    }
    #expect(trial.host.checks == [1, 7.25, 6])
    #expect(trial.host.texts == ["7.2 of EUR", "6.0 of ?"])
    #expect(trial.receive(#"{"v":"7"}"#)?.reason.contains("num(…)") == true)
  }

  @Test("the sandbox's libraries pass their own cases")
  func libraries() throws {
    let path = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let source = try #require(SharedInputs.read("\(path)/Inputs/library_cases.lua"))
    var limits = MachineLimits()
    limits.steps = 100_000_000
    limits.milliseconds = 60_000
    limits.memoryBytes = 512 << 20
    let functions: [HostFunction] = []
    let machine = try #require(ScriptMachine(profile: .configuration, limits: limits, functions: functions))
    try machine.load(source, name: "library_cases.lua")
    #expect(machine.result["cases"] == .integer(616))
  }

  @Test(
    "load errors name file and line",
    arguments: [
      ("local M = {} return 5", "expected the script to return a table"),
      ("local M = {", "trial.lua:1: "), ("return { on = 5 }", "M.on: expected a table of functions"),
      ("return { state = 3, on = {} }", "M.state: expected a table"),
      ("return { on = { a = 1 } }", "M.on.a: expected a function"),
    ])
  func loading(_ source: String, _ expected: String) {
    #expect {
      _ = try ScriptTrial(source)
    } throws: { error in
      "\(error)".contains(expected)
    }
  }
}
