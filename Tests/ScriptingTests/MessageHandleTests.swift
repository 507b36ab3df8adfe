import Scripting
import Testing

@Suite struct MessageHandleTests {
  @Test("a message and its objects and lists read like tables that can't be changed")
  func reading() throws {
    let trial = try ScriptTrial(
      body: """
        local names = {}
        for name, value in pairs(event) do names[#names + 1] = name .. " " .. type(value) end
        local seen = { table.concat(names, ", "), type(event), tostring(event.list), #event.list }
        for _, item in ipairs(event.list) do seen[#seen + 1] = item end
        seen[#seen + 1] = event.map == event.map
        seen[#seen + 1] = event.map == event.list
        seen[#seen + 1] = event.list == json.null
        seen[#seen + 1] = getmetatable(event)
        seen[#seen + 1] = json.encode(event.map)
        return seen
        """)
    #expect(trial.receive(#"{"list":[1,"b"],"map":{"y":2.0,"z":null},"none":null}"#) == nil)
    #expect(
      try trial.state()["last"] == [
        "list table, map table, none null", "table", "table", 2, 1, "b", true, false, false, false,
        #"{"y":2.0,"z":null}"#,
      ])
    for write in ["event.x = 1", "event.list[1] = 1", "table.insert(event.list, 1)", "rawset(event, 'x', 1)"]
    {
      let reason = try ScriptTrial(body: write).receive(#"{"list":[1]}"#)?.reason
      #expect(reason?.contains("messages and ctx can't be changed") == true, "\(write): \(reason ?? "")")
    }
  }

  @Test(
    "every way to use a message of an earlier call is refused",
    arguments: [
      "kept.x", "#kept", "pairs(kept)", "next(kept)", "ipairs(kept)(kept, 0)", "json.encode(kept)",
      "{ kept }",
      "kept", "table.concat(kept)", "rawget(kept, 'x')", "rawlen(kept)",
    ])
  func stale(use: String) throws {
    let trial = try ScriptTrial(body: "if event.keep then kept = event.list return 1 end return \(use)")
    #expect(trial.receive(#"{"keep":true,"list":[1]}"#) == nil)
    let reason = trial.receive(#"{"list":[1]}"#)?.reason
    #expect(reason?.contains("belongs to an earlier call") == true, "\(reason ?? "no failure")")
  }

  @Test("a message that an undone handler kept is refused as well")
  func undone() throws {
    let trial = try ScriptTrial(body: "if event.keep then kept = event error('no') end return kept.x")
    #expect(trial.receive(#"{"keep":true}"#)?.reason.contains("no") == true)
    #expect(trial.receive(#"{"x":1}"#)?.reason.contains("belongs to an earlier call") == true)
  }

  @Test(
    "null is no message: it has no fields, no length, no metatable and no items",
    arguments: [
      ("event.v.x", "attempt to read 'x' of json.null"), ("event.v[1]", "attempt to read json.null"),
      ("rawset(event.v, 'x', 1)", "table expected"), ("#event.v", "attempt to take the length of json.null"),
      ("pairs(event.v)", "table expected"), ("event.v + 1", "attempt to perform arithmetic"),
    ])
  func null(use: String, expected: String) throws {
    let reason = try ScriptTrial(body: "return \(use)").receive(#"{"v":null}"#)?.reason
    #expect(reason?.hasPrefix("trial.lua:") == true && reason?.contains(expected) == true, "\(reason ?? "")")
    let trial = try ScriptTrial(
      body: "return { getmetatable(event.v) == nil, event.v == json.null, type(event.v) }")
    #expect(trial.receive(#"{"v":null}"#) == nil)
    #expect(try trial.state()["last"] == [true, true, "null"])
  }

  @Test("a failure's traceback ends with the line in the handler")
  func traceback() throws {
    let trial = try ScriptTrial(
      """
      local M = {} M.state = { x = 0 } M.on = {}
      local function deeper(m) return m.a.b.c end
      function M.on.feed(s, m)
        s.x = deeper(m) or 1
      end
      return M
      """)
    let failure = try #require(trial.receive(#"{"a":{}}"#))
    #expect(failure.reason.hasPrefix("trial.lua:2: attempt to index a nil value (field 'b')"))
    #expect(failure.traceback == "trial.lua:2: in upvalue 'deeper'\ntrial.lua:4: in the handler")
  }
}
