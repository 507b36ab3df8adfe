import ScriptTesting
import Testing

@Suite("A reload")
struct ReloadTests {
  /// A script whose price fires a rule, and whose messages set timers and ask for things.
  private static let script = """
    local M = { on = {}, actions = {} }
    M.state = { price = 0, mean = stats.sma { count = 2 } }
    local over = alert.rule { name = "over", crosses_above = 100, clear_below = 90, for_duration = "10s" }
    function M.actions.later(state, payload) log.info("later", payload) end
    function M.actions.found(state, reply) log.info("found", reply.text or reply.error) end
    function M.on.price(state, message)
      state.price = num(message.p)
      stats.add(state.mean, state.price)
      if message.after then effect.after(message.after, "later", "one") end
      if message.throttle then effect.throttle("1m", "later", message.throttle) end
      if message.ask then effect.http { url = "https://example.org/", reply = "found" } end
      if message.fail then error("no") end
      over:check(state.price)
    end
    return M
    """

  /// Runs a test against the script and newer forms of it, each given by what is replaced in its text.
  private func passes(
    _ body: String, script: String = ReloadTests.script, forms: [String: [(String, String)]] = [:],
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let folder = try TestFolder()
    for (name, replacements) in forms {
      var text = script
      for (old, new) in replacements {
        #expect(text.contains(old), sourceLocation: location)
        text = text.replacing(old, with: new)
      }
      try folder.write("\(name).lua", text)
    }
    let (report, text) = try await folder.run(TestFolder.test(body), script: script)
    #expect(report.exitStatus == 0, "\(text)", sourceLocation: location)
    #expect(report.passedCount == 1, sourceLocation: location)
  }

  @Test("keeps state, statistics, a pending rule, timers, and requests, whose replies come to the new script")
  func goesOn() async throws {
    try await passes(
      """
        t.receive("price", { p = 50 })                             t.state { price = 50.0 }
        t.receive("price", { p = 110, after = "5s", ask = true })  t.state { price = 110.0, mean = 80.0 }
                                                                   t.effect { http = "https://example.org/" }
        t.advance("4s")
        t.reload { file = "new.lua" }          t.nothing()
        t.advance("1s")                        t.log("info", "new later")
        t.reply { text = "yes" }               t.log("info", "new found yes")
        t.receive("price", { p = 120 })        t.state { price = 120.0, mean = 115.0 }
        t.advance("5s")                        t.alert { rule = "over" }
        t.receive("price", { p = 80 })         t.state { price = 80.0, mean = 100.0 }  t.resolved { rule = "over" }
      """,
      forms: ["new": [("\"later\", payload", "\"new later\", payload"), ("\"found\", ", "\"new found\", ")]])
  }

  @Test("keeps a cooldown, and episodes go on counting")
  func cooldown() async throws {
    try await passes(
      """
        t.receive("price", { p = 50 })   t.state { price = 50.0 }
        t.receive("price", { p = 110 })  t.state { price = 110.0, mean = 80.0 }  t.alert { rule = "over" }
        t.receive("price", { p = 50 })   t.state { price = 50.0 }  t.resolved { rule = "over" }
        t.advance("30s")
        t.reload { file = "new.lua" }
        t.receive("price", { p = 110 })  t.state { price = 110.0 }
        t.advance("29s")                 t.nothing()
        t.advance("1s")                  t.alert { rule = "over" }
      """, script: Self.script.replacing("for_duration = \"10s\"", with: "cooldown = \"1m\""),
      forms: ["new": [("return M", "-- as before\nreturn M")]])
  }

  @Test("keeps what is throttled, and who had to wait")
  func throttled() async throws {
    try await passes(
      """
        t.receive("price", { p = 1, throttle = "a" })  t.state { price = 1.0 }  t.log("info", "later a")
        t.receive("price", { p = 2, throttle = "b" })  t.state { price = 2.0, mean = 1.5 }
        t.reload { file = "new.lua" }
        t.advance("59s")                               t.nothing()
        t.advance("1s")                                t.log("info", "new b")
      """, forms: ["new": [("\"later\", payload", "\"new\", payload")]])
  }

  @Test(
    "is refused, naming what would be lost, and the old script runs on",
    arguments: [
      (
        [
          ("later(state", "renamed(state"), ("\"later\", \"one\"", "\"renamed\", \"one\""),
          ("\"1m\", \"later\"", "\"1m\", \"renamed\""),
        ], "M.actions.later is gone, but a timer waits to run it"
      ),
      (
        [("found(state", "renamed(state"), ("reply = \"found\"", "reply = \"renamed\"")],
        "M.actions.found is gone, but a request waits to reply to it"
      ),
      ([("name = \"over\"", "name = \"above\"")], "the rule 'over' is gone"),
      ([("M.on.price(state", "M.on.other(state")], "other sources would be needed"),
      ([("return M", "M.dropped = { \"over\" }\nreturn M")], "M.dropped names 'over', which the script has"),
      ([("return M", "M.dropped = \"over\"\nreturn M")], "M.dropped: expected a list of names"),
      (
        [("return M", "M.dropped = { 1 }\nreturn M")],
        "expected the names of rules and actions, got an integer"
      ),
      ([("M.on.price", "M.on..price")], "new.lua:6:"),
      (
        [
          ("price = 0,", "price = 0, other = 0,"),
          ("return M", "function M.migrate(old)\n  return old.none.x\nend\nreturn M"),
        ], "new.lua:16:"
      ),
    ])
  func refusals(replacements: [(String, String)], reason: String) async throws {
    try await passes(
      """
        t.receive("price", { p = 50, after = "5s", ask = true })
        t.state { price = 50.0 }  t.effect { http = "https://example.org/" }
        t.reload { file = "new.lua", refused = \(String(reflecting: reason)) }  t.nothing()
        t.advance("5s")                  t.log("info", "later one")
        t.receive("price", { p = 51 })   t.state { price = 51.0, mean = 50.5 }
        t.reload { file = "good.lua" }   t.nothing()
        t.reply { text = "yes" }         t.log("info", "good yes")
      """, forms: ["new": replacements, "good": [("\"found\", reply", "\"good\", reply")]])
  }

  @Test("what M.dropped names may go: timers, and rules, whose told episode ends")
  func dropped() async throws {
    try await passes(
      """
        t.receive("price", { p = 50 })                 t.state { price = 50.0 }
        t.receive("price", { p = 110, after = "1h" })  t.state { price = 110.0, mean = 80.0 }
        t.advance("10s")                               t.alert { rule = "over" }
        t.reload { file = "new.lua" }
        t.resolved { rule = "over", text = "resolved: no longer watched: the rule 'over' was dropped" }
        t.log("info", "dropped later over")
        t.advance("2h")                                t.nothing()
        t.restart()                                    t.nothing()
        t.receive("price", { p = 50 })                 t.state { price = 50.0 }
      """,
      forms: [
        "new": [
          ("later(state", "renamed(state"), ("\"later\", \"one\"", "\"renamed\", \"one\""),
          ("\"1m\", \"later\"", "\"1m\", \"renamed\""), ("name = \"over\"", "name = \"above\""),
          (
            "return M",
            """
            M.dropped = { "over", "later" }
            M.events = { reload = function(s, e) log.info("dropped " .. table.concat(e.dropped, " ")) end }
            return M
            """
          ),
        ]
      ])
  }

  @Test(
    "fields of the same name go on; where the form of the state changes, M.migrate makes the new one, once")
  func migration() async throws {
    let migrate = """
      function M.migrate(old) return { last = old.price } end
      M.events = { reload = function(s, e) log.info("migrated", e.migrated, e.keys) end }
      return M
      """
    try await passes(
      """
        t.receive("price", { p = 50 })   t.state { price = 50.0 }
        t.reload { file = "new.lua" }    t.state { last = 50.0 }  t.log("info", "migrated true 1")
        t.receive("price", { p = 60 })   t.state { last = 60.0, mean = 55.0 }
        t.reload { file = "newer.lua" }  t.log("info", "migrated false 1")
        t.restart()                      t.nothing()
        t.receive("price", { p = 70 })   t.state { last = 70.0, mean = 65.0 }
      """,
      forms: [
        "new": [("price = 0,", "last = 0,"), ("state.price", "state.last"), ("return M", migrate)],
        "newer": [
          ("price = 0,", "last = 0,"), ("state.price", "state.last"),
          ("return M", "-- the migration stays here\n" + migrate),
        ],
      ])
  }

  @Test("states under keys go on by their keys, and only M.dropped lets all of them go")
  func keys() async throws {
    try await passes(
      """
        t.receive("price", { s = "a", p = 1 })  t.state("a", { price = 1.0 })
        t.receive("price", { s = "b", p = 2 })  t.state("b", { price = 2.0 })
        t.reload { file = "new.lua" }           t.nothing()
        t.receive("price", { s = "b", p = 3 })  t.state("b", { price = 3.0, mean = 2.5 })
        t.reload { file = "without.lua", refused = "M.key is gone" }
        t.reload { file = "dropping.lua" }      t.nothing()
        t.restart()                             t.nothing()
        t.receive("price", { s = "b", p = 4 })  t.state { price = 4.0 }
      """, script: Self.script.replacing("M.state =", with: "M.key = \"s\"\nM.state ="),
      forms: [
        "new": [("return M", "-- as before\nreturn M")], "without": [("M.key = \"s\"", "")],
        "dropping": [("M.key = \"s\"", "M.dropped = { \"M.key\" }")],
      ])
  }

  @Test("declared timers keep their time, take a new one, or go with their declaration")
  func declaredTimers() async throws {
    try await passes(
      """
        t.advance("30s")
        t.reload { file = "same.lua" }
        t.advance("29s")                 t.nothing()
        t.advance("1s")                  t.log("info", "later")
        t.reload { file = "hourly.lua" }
        t.advance("59m")                 t.nothing()
        t.advance("1m")                  t.log("info", "later")
        t.reload { file = "none.lua" }
        t.advance("5h")                  t.nothing()
      """, script: Self.script.replacing("return M", with: "M.timers = { later = every(\"1m\") }\nreturn M"),
      forms: [
        "same": [("return M", "-- as before\nreturn M")], "hourly": [("\"1m\") }", "\"1h\") }")],
        "none": [("M.timers = { later = every(\"1m\") }", "")],
      ])
  }

  @Test("changed parameters reload the script, and the rules take their new levels without a false alarm")
  func parameters() async throws {
    let script = """
      local M = { on = {}, state = { price = 0 } }
      local p = params { level = 100 }
      local over = alert.rule { name = "over", crosses_above = p.level }
      function M.on.price(state, message) state.price = num(message.p) over:check(state.price) end
      return M
      """
    try await passes(
      """
        t.receive("price", { p = 80 })            t.state { price = 80.0 }
        t.reload { params = { level = 70 } }      t.nothing()
        t.receive("price", { p = 81 })            t.state { price = 81.0 }
        t.receive("price", { p = 60 })            t.state { price = 60.0 }
        t.restart()                               t.nothing()
        t.receive("price", { p = 75 })            t.state { price = 75.0 }  t.alert { rule = "over" }
        t.reload { params = { other = 1 }, refused = "unknown parameter 'other'" }
      """, script: script)
  }

  @Test("a handler that fails after a reload takes back its own changes, and none from before")
  func undo() async throws {
    try await passes(
      """
        t.receive("price", { p = 50, after = "5s" })               t.state { price = 50.0 }
        t.reload { file = "new.lua" }
        t.receive("price", { p = 60, after = "1h", fail = true })  t.error("no")
        t.advance("5s")                                            t.log("info", "later one")
      """, forms: ["new": [("return M", "-- as before\nreturn M")]])
  }

  @Test("a reload that was expected to be refused and isn't fails the test, and so does the other way around")
  func expectations() async throws {
    let folder = try TestFolder()
    try folder.write("bad.lua", "return")
    let (report, text) = try await folder.run(
      """
      local t = test.script("alert.lua")
      it("a", function() t.reload { refused = "no" } end)
      it("b", function() t.reload { file = "bad.lua" } end)
      it("c", function() t.reload { file = "bad.lua", refused = "another reason" } end)
      """)
    #expect(report.passedCount == 0)
    #expect(text.contains("expected a refusal with \"no\", but the reload went well"))
    #expect(
      text.contains("the reload was refused: can't load the script: bad.lua: expected the script to return"))
    #expect(text.contains("but it was refused for another reason: can't load the script"))
  }
}
