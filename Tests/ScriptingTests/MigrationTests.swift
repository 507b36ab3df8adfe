import Scripting
import Testing

@Suite("M.migrate")
struct MigrationTests {
  private static func script(_ state: String, _ migrate: String) -> String {
    """
    local M = {} M.state = \(state) M.on = {}
    function M.on.feed(state, event) end
    \(migrate)
    return M
    """
  }

  /// Restores a row into a script and migrates it, as a reload does.
  private func migrate(
    _ row: String, state: String, _ body: String, limits: MachineLimits = MachineLimits()
  ) throws -> (failure: ScriptFailure?, state: Value, trial: ScriptTrial) {
    let trial = try ScriptTrial(
      Self.script(state, "function M.migrate(old, key)\n\(body)\nend"), limits: limits)
    var text = row
    let failure = try text.withUTF8 { bytes -> ScriptFailure? in
      try trial.machine.restore(key: "k", row: UnsafeRawBufferPointer(bytes))
      return trial.machine.migrate(key: "k", row: UnsafeRawBufferPointer(bytes), time: 7_000)
    }
    return (failure, try trial.state("k"), trial)
  }

  @Test(
    "gets the old fields, also those that are no longer declared, and the key; what it leaves out is default")
  func fields() throws {
    let (failure, state, _) = try migrate(
      #"{"max":3.5,"list":[1,[2]],"map":{"$pairs":[[1.5,"x"],[true,{}]]},"kept":"k","":["gone"]}"#,
      state: "{ high = 0, name = '', list = {}, map = {}, kept = 'default' }",
      """
      assert(old.gone == nil and #old.list == 2 and old.map[1.5] == "x")
      table.insert(old.list, key)
      return { high = old.max * 2, name = key, list = old.list, map = old.map }
      """)
    #expect(failure == nil)
    #expect(
      state == [
        "high": 7.0, "name": "k", "list": [1, [2], "k"], "kept": "default",
        "map": ["$pairs": [[1.5, "x"], [true, [:]]]],
      ])
  }

  @Test("may change the old table and return it")
  func inPlace() throws {
    let (failure, state, _) = try migrate(
      #"{"max":3}"#, state: "{ high = 0 }", "old.high, old.max = old.max, nil return old")
    #expect(failure == nil)
    #expect(state == ["high": 3])
  }

  @Test(
    "says with its line why a state can't be migrated, and leaves the key as it was restored",
    arguments: [
      ("return old.none.x", "trial.lua:4: attempt to index a nil value (field 'none')"),
      ("return nil", "M.migrate: expected it to return the new state as a table, got nil"),
      ("return { other = 1 }", "the new state has the field 'other', which M.state does not declare"),
      ("return { 1 }", "the new state has a number for a name"),
      ("return { high = function() end }", "the new state.high: state can't hold a function"),
      ("return { high = 0/0 }", "the new state.high: state can't hold nan"),
      ("return { mean = 1 }", "'mean' is a statistic, which goes on by itself"),
      ("alert.send { name = 'x', text = 'y' } return old", "alert.send can't be called in M.migrate"),
      ("while true do end", "steps"),
      ("local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(100) .. i end", "memory"),
    ])
  func failures(body: String, reason: String) throws {
    var limits = MachineLimits()
    limits.steps = 2_000_000
    limits.memoryBytes = 4 << 20
    let (failure, state, trial) = try migrate(
      #"{"high":3}"#, state: "{ high = 0, mean = stats.sma { count = 2 } }", body, limits: limits)
    #expect(failure?.reason.contains(reason) == true, "\(failure?.reason ?? "no failure")")
    #expect(state["high"] == 3)
    #expect(trial.receive("{}") == nil, "the script runs on")
    #expect(trial.sent.isEmpty)
  }

  @Test("leaves statistics of the same form alone")
  func statistics() throws {
    let old = try ScriptTrial(
      """
      local M = {} M.state = { mean = stats.sma { count = 2 }, n = 0 } M.on = {}
      function M.on.feed(state, event) stats.add(state.mean, event.p) end
      return M
      """)
    old.receive(#"{"p":2}"#)
    old.receive(#"{"p":4}"#)
    let row = old.machine.row(of: old.machine.key(""))
    let (failure, state, _) = try migrate(
      row, state: "{ mean = stats.sma { count = 2 }, m = 0 }",
      "assert(old.mean == nil) return { m = old.n + 1 }")
    #expect(failure == nil)
    #expect(state["mean"]?["value"] == 3.0)
    #expect(state["m"] == 1)
  }

  @Test("must be a function")
  func kind() throws {
    #expect(throws: ScriptFailure.self) { try ScriptTrial(Self.script("{}", "M.migrate = 1")) }
    #expect(try ScriptTrial(Self.script("{}", "")).machine.migrates == false)
  }

  @Test("a machine tells which modules its file required")
  func modules() throws {
    let machine = try #require(ScriptMachine(profile: .script))
    machine.addModule("a", source: "require 'b' return {}")
    machine.addModule("b", source: "return 1")
    machine.addModule("c", source: "return 1")
    try machine.load("require 'a' require 'b' return { on = {} }", name: "x.lua")
    #expect(machine.requiredModules.sorted() == ["a", "b"])
  }
}
