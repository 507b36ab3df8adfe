import Scripting
import Testing

/// A handler that does nothing with its message but read fields gets them from a table, any other the message itself.
/// Nothing may tell the two apart.
@Suite struct MessageTableTests {
  /// Two machines with the same handler, of which one also hands its message to another variable.
  private struct Pair {
    let table, handle: ScriptTrial

    init(key: String = "nil", _ body: String) throws {
      func source(_ start: String) -> String {
        """
        local M = {} M.key = \(key) M.state = { seen = {}, a = json.null, b = json.null, count = 0 } M.on = {}
        function M.on.feed(state, m) \(start)
        \(body)
        end
        return M
        """
      }
      table = try ScriptTrial(source(""))
      handle = try ScriptTrial(source("local other = m"))
    }

    /// Why both refuse a message, nil where none does; records an issue where they differ.
    @discardableResult
    func receive(_ message: String, key: String = "") throws -> String? {
      let failures = (table.receive(message), handle.receive(message))
      #expect(failures.0?.reason == failures.1?.reason, "\(message)")
      #expect(failures.0?.traceback == failures.1?.traceback, "\(message)")
      #expect(try table.state(key) == handle.state(key), "\(message)")
      return failures.0?.reason
    }
  }

  static let messages = [
    #"{"a":1,"b":"x","c":{"d":1}}"#, #"{"a":1,"b":"x","c":{"d":2}}"#, #"{"a":1.0,"b":"xy","c":{"d":2}}"#,
    #"{"b":"xy","a":-1,"c":{"d":3}}"#, #"{"a":null,"b":true,"c":[1,2]}"#, #"{"a":false,"b":null,"c":3}"#,
    "{}",
    #"{"a":"\n","b":"\\n","c":{}}"#, #"{"a":"\u00e9","b":"é","c":"\u00e9"}"#,
    #"{"a":1,"a":2,"b":"","c":{"d":1,"d":2}}"#,
    #"{"a":12345678901234567890,"b":"12345678901234567890","c":0}"#, #"{"\u0061":7,"b":8}"#,
    #"{"a":"exactly sixteen ","b":"exactly seventeen"}"#,
    #"{"a":"exactly sixteen!","b":"exactly seventeen"}"#,
    #"{"a":"\#(String(repeating: "long ", count: 100))","b":"after"}"#, #"{"a":1,"b":"after that"}"#,
    "[1,2]", #"[{"a":1}]"#, "7", #""a""#, "null", #"{"a":1e2,"b":100.0,"c":1e400}"#,
    #"{"a":-0.0,"b":0,"c":-0}"#,
  ]

  @Test("all kinds of values are read the same, after any other")
  func values() throws {
    let pair = try Pair(
      """
      state.count = state.count + 1
      state.a, state.b = m.a, m.b
      state.seen = { type(m.a), type(m.b), type(m.c), math.type(m.a) or "none", json.encode(m.c), tostring(m.none) }
      """)
    for message in Self.messages {
      for other in Self.messages {
        try pair.receive(message)
        try pair.receive(other)
      }
    }
    #expect(try pair.table.state()["count"] != [0])
  }

  @Test("a field of an object in the message is read, and what is kept of it is its own")
  func nested() throws {
    let pair = try Pair("state.a = m.c.d state.seen[#state.seen + 1] = m.c")
    #expect(try pair.receive(#"{"c":{"d":1}}"#) == nil)
    #expect(try pair.receive(#"{"c":{"d":[2]}}"#) == nil)
    #expect(try pair.table.state()["seen"] == [["d": 1], ["d": [2]]])
    #expect(try pair.receive(#"{"b":1}"#)?.contains("attempt to index a nil value (field 'c')") == true)
    #expect(try pair.receive(#"{"c":null}"#)?.contains("attempt to read 'd' of json.null") == true)
  }

  @Test("num names the field that was read last")
  func errors() throws {
    let pair = try Pair("local a, b = m.a, m.b state.a = num(b) + num(a)")
    #expect(try pair.receive(#"{"a":"1","b":"2"}"#) == nil)
    for message in [#"{"a":"1"}"#, #"{"a":"x","b":"1"}"#, #"{"a":"1","b":"y"}"#, #"{"a":"1","b":{}}"#] {
      #expect(try pair.receive(message)?.contains("num: field 'b': expected a number") == true, "\(message)")
    }
    #expect(try pair.receive(#"{"a":"1","b":"3"}"#) == nil)
    #expect(try pair.table.state()["a"] == 4.0)
  }

  @Test("num takes the text of a field in every way it can be written")
  func numbers() throws {
    for use in [
      "num(m.a)", "num(m.a) + num(m.a)", "num(m.a or m.b)", "(num(m.a, 1))", "{ num(m.a), m.a }",
      "(m.b and tostring or num)(m.a)", "(m.none or num)(m.a)", "(m.none and num or tostring)(m.a)",
    ] {
      let pair = try Pair("state.count = state.count + 1 state.a = json.encode(\(use))")
      for text in [
        #""1.5""#, #""1.5""#, #"" 1.5 ""#, #""1e3""#, #""\u0031""#, "1.5", "2", "12345678901234567890",
        #""x""#,
      ] {
        try pair.receive(#"{"a":\#(text),"b":"2"}"#)
      }
    }
  }

  @Test(
    "a script's own num gets what the message holds",
    arguments: [
      "function num(x) return x end", "num = function(x) return x end", "_G.num = function(x) return x end",
      "rawset(_G, 'num', function(x) return x end)", "local e = _ENV e.num = function(x) return x end",
      "local function num(x) return x end",
      "local _ENV = setmetatable({ num = tostring }, { __index = _ENV })",
      "(function() function num(x) return x end end)()", "require('other')",
    ])
  func ownNum(definition: String) throws {
    for (atLoading, atHandling) in [(definition, ""), ("", "if m.define then \(definition) end")] {
      let machine = try #require(ScriptMachine(profile: .script, host: nil))
      machine.addModule("other", source: "function num(x) return x end return {}")
      try machine.load(
        """
        \(atLoading)
        local M = {} M.state = { a = json.null } M.on = {}
        function M.on.feed(state, m) \(atHandling) state.a = num(m.a) end
        return M
        """, name: "own.lua")
      let batch = MessageBatch()
      batch.append(#"{"define":true,"a":"7"}"#, time: 1)
      batch.append(#"{"define":true,"a":"8"}"#, time: 1)
      #expect(batch.decode() == 0)
      let handler = try #require(machine.handler("on", "feed"))
      #expect(machine.handle(batch, in: 0..<2, with: handler).failure == nil)
      let isLocal = definition.hasPrefix("local") && atLoading.isEmpty && !definition.contains("e.num")
      #expect(
        try machine.state(of: machine.key(""))["a"] == (isLocal ? 8.0 : "8"), "\(atLoading)\(atHandling)")
    }
  }

  @Test("an error in num that the script catches is the same")
  func caught() throws {
    let pair = try Pair(
      "state.count = state.count + 1 local good, why = pcall(num, m.a) state.a, state.b = good, why")
    for message in Self.messages + Self.messages { try pair.receive(message) }
  }

  @Test("the key may be a field that other shapes of messages lack")
  func keys() throws {
    let pair = try Pair(key: "'b'", "state.count = state.count + 1 state.a = m.a")
    for message in Self.messages {
      for other in Self.messages {
        try pair.receive(message, key: "x")
        try pair.receive(other, key: "xy")
      }
    }
    #expect(pair.table.machine.skippedCount == pair.handle.machine.skippedCount)
  }

  @Test("what a failed handler had read is read again")
  func failing() throws {
    let pair = try Pair("state.a = m.a if m.b then error('no: ' .. tostring(m.a)) end")
    #expect(try pair.receive(#"{"a":1}"#) == nil)
    #expect(try pair.receive(#"{"a":2,"b":1}"#)?.contains("no: 2") == true)
    #expect(try pair.receive(#"{"a":2}"#) == nil)
    #expect(try pair.table.state()["a"] == 2)
  }

  @Test("a machine that was given up while it read from a table is made anew")
  func rebuild() throws {
    var limits = MachineLimits()
    limits.memoryBytes = 1 << 20
    let trial = try ScriptTrial(
      """
      function num(x) return x end
      local M = {} M.state = { a = json.null } M.on = {}
      function M.on.feed(state, m)
        if m.grow then local huge = ("x"):rep(60000000) end
        state.a = num(m.a)
      end
      return M
      """, limits: limits)
    #expect(trial.receive(#"{"grow":true}"#)?.reason.contains("memory") == true)
    #expect(trial.machine.rebuildCount == 1)
    #expect(trial.receive(#"{"a":"7"}"#) == nil)
    #expect(try trial.state()["a"] == "7")
  }

  @Test(
    "a message that goes anywhere else is no table",
    arguments: [
      "kept = m", "local function f() return m.a end kept = f", "kept = { m }", "kept = m or 1",
      "rawequal(m, 1)",
      "for k in pairs(m) do kept = k end", "m = m.c", "state.b = m", "m.a = 1", "kept = #m", "m:a()",
      "kept = m[1]",
    ])
  func escaping(use: String) throws {
    let trial = try ScriptTrial(
      """
      local M = {} M.state = { b = json.null } M.on = {}
      function M.on.feed(state, m)
        if m.first then \(use) return end
        if type(kept) == "function" then kept() end
        if type(kept) == "table" then local item = kept[1] or kept state.b = item.a end
      end
      return M
      """)
    _ = trial.receive(#"{"first":true,"a":1,"c":{"a":1}}"#)
    let failure = trial.receive(#"{"a":2}"#)
    // Nothing of the second message was read through what was kept of the first.
    #expect(try trial.state()["b"] != 2)
    if use.hasPrefix("kept = m") && !use.hasSuffix("]") || use.contains("kept = f") || use.contains("{ m }") {
      #expect(failure?.reason.contains("belongs to an earlier call") == true, "\(failure?.reason ?? "none")")
    }
  }

  @Test("digits that no handler reads take none of the script's memory")
  func unreadDigits() throws {
    var limits = MachineLimits()
    limits.memoryBytes = 1 << 20
    let machine = try #require(ScriptMachine(profile: .script, limits: limits, host: nil))
    try machine.load(
      """
      local M = {} M.state = { n = 0 } M.on = {}
      function M.on.feed(state, m) if m.kind == "x" then state.n = #m.big end end
      return M
      """, name: "digits.lua")
    let handler = try #require(machine.handler("on", "feed"))
    let batch = MessageBatch()
    let digits = String(repeating: "7", count: 1_200_000)
    for _ in 0..<3 { batch.append(#"{"kind":"y","big":\#(digits)}"#, time: 1) }
    batch.append(#"{"kind":"x","big":77}"#, time: 1)
    #expect(batch.decode() == 0)
    #expect(machine.handle(batch, in: 0..<3, with: handler).failure == nil)
    #expect(machine.memoryBytes < 1 << 20)
  }

  @Test("a handler of more fields, or code, than a table is for gets the message itself")
  func large() throws {
    let fields = (0..<300).map { "m.f\($0)" }.joined(separator: " or ")
    let pair = try Pair(
      "state.a = \(fields)" + String(repeating: " state.count = state.count + 1", count: 4_000))
    try pair.receive(#"{"f299":"last"}"#)
    try pair.receive(#"{"f0":1,"f299":"last"}"#)
  }
}
