import Scripting
import Testing

@Suite("Statistics are part of state")
struct StatisticUndoTests {
  static let declarations = [
    "sma { count = 5 }", "sma { over = \"2s\" }", "sma { over = \"5000s\" }", "ema { count = 3 }",
    "ema { over = \"3s\" }", "min { count = 70 }", "max { count = 4 }", "min { over = \"2s\" }",
    "max { over = \"5000s\" }", "rsi { count = 4 }", "rsi { over = \"5s\" }", "rate { count = 3 }",
    "rate { over = \"4s\" }", "zscore { count = 6 }", "zscore { over = \"3s\" }",
    "zscore { over = \"5000s\" }",
    "vwap { count = 4 }", "vwap { over = \"3s\" }", "vwap { over = \"5000s\" }",
  ]

  private static func source(_ declaration: String) -> String {
    """
    local M = { state = { s = stats.\(declaration), sum = 0 }, on = {}, key = "k" }
    local weighs = \(declaration.hasPrefix("vwap"))
    function M.on.feed(state, message)
      for _, value in ipairs(message.values) do
        if value == -1 then
          stats.reset(state.s)
        else
          local result = stats.add(state.s, value, weighs and value % 10 or nil)
          state.sum = (state.sum + (result or 0)) % 1000003
        end
      end
      if message.fail then error("refused") end
      if message.endless then while true do end end
    end
    return M
    """
  }

  private static func message(_ random: inout SeededRandom) -> Value {
    let count = Int(random.next() % 4) + (random.next() % 50 == 0 ? 200 : 0)
    let values = (0..<count).map { _ in
      random.next() % 40 == 0 ? Value.number(-1) : .number(Double(random.next() % 1_000) / 8)
    }
    return ["k": .text("k\(random.next() % 2)"), "values": .list(values)]
  }

  @Test(
    "a failed handler takes back all that it added, also under the count of its steps",
    arguments: declarations)
  func undo(declaration: String) throws {
    let broken = try ScriptTrial(Self.source(declaration))
    let clean = try ScriptTrial(Self.source(declaration))
    var random = SeededRandom(seed: 7)
    var time: Int64 = 0
    for index in 0..<600 {
      time += Int64(random.next() % 500)
      var message = Self.message(&random)
      let fails = random.next() % 3 == 0
      if fails, case .map(var members) = message {
        members["fail"] = .bool(true)
        message = .map(members)
      }
      let failure = broken.receive(message.json, time: time)
      #expect((failure != nil) == fails, "\(failure?.reason ?? "")")
      if !fails { clean.receive(message.json, time: time) }
      for key in ["k0", "k1"] {
        let got = broken.machine.row(of: broken.machine.key(key))
        guard got == clean.machine.row(of: clean.machine.key(key)) else {
          Issue.record("message \(index): \(key) is \(got)")
          return
        }
      }
    }
  }

  @Test("a handler that runs out of steps takes back all that it added")
  func steps() throws {
    var limits = MachineLimits()
    limits.steps = 100_000
    let trial = try ScriptTrial(Self.source("max { count = 5 }"), limits: limits)
    #expect(trial.receive(#"{"k":"a","values":[1,5,3]}"#) == nil)
    let row = trial.machine.row(of: 0)
    #expect(trial.receive(#"{"k":"a","values":[9,9,1],"endless":true}"#)?.cause == .steps)
    #expect(trial.machine.row(of: 0) == row)
  }

  @Test(
    "a stored row brings a statistic back exactly: it goes on as if nothing had been", arguments: declarations
  )
  func restore(declaration: String) throws {
    var trial = try ScriptTrial(Self.source(declaration))
    let through = try ScriptTrial(Self.source(declaration))
    var random = SeededRandom(seed: 11)
    var time: Int64 = 0
    for index in 0..<400 {
      time += Int64(random.next() % 500)
      let message = Self.message(&random)
      #expect(trial.receive(message.json, time: time) == nil)
      #expect(through.receive(message.json, time: time) == nil)
      for key in ["k0", "k1"] {
        let got = trial.machine.row(of: trial.machine.key(key))
        guard got == through.machine.row(of: through.machine.key(key)) else {
          Issue.record("message \(index): \(key) is \(got)")
          return
        }
      }
      guard index % 9 == 0 else { continue }
      let next = try ScriptTrial(Self.source(declaration))
      for key in ["k0", "k1"] {
        var row = trial.machine.row(of: trial.machine.key(key))
        try row.withUTF8 { bytes in
          try next.machine.restore(key: key, row: UnsafeRawBufferPointer(bytes))
        }
      }
      trial = next
    }
  }

  private func restored(_ row: String, _ declaration: String) throws -> Value {
    let trial = try ScriptTrial("return { state = { s = \(declaration) }, on = {} }")
    var row = row
    try row.withUTF8 { bytes in try trial.machine.restore(key: "", row: UnsafeRawBufferPointer(bytes)) }
    return try trial.state()
  }

  @Test("what was declared otherwise begins anew, and what no statistic writes is refused")
  func changes() throws {
    let trial = try ScriptTrial(Self.source("sma { count = 5 }"))
    #expect(trial.receive(#"{"k":"","values":[1,5,3]}"#) == nil)
    let row = trial.machine.row(of: 0)
    #expect(try restored(row, "stats.sma { count = 5 }")["s"] == Value(json: row)["s"])
    let fresh = try ScriptTrial(Self.source("sma { count = 6 }")).state()["s"]
    #expect(try restored(row, "stats.sma { count = 6 }")["s"] == fresh)
    #expect(try restored(row, "stats.max { count = 5 }")["s"]?["$statistic"] == "max")
    #expect(try restored(row, "17") == ["s": .integer(17)], "a statistic that is none any more")
    #expect(try restored(#"{"s":17}"#, "stats.sma { count = 6 }")["s"] == fresh)
    #expect(try restored(#"{"":["s"]}"#, "stats.sma { count = 6 }")["s"] == fresh)
    for damage in [
      row.replacing("\"window\":[1.0", with: "\"window\":[null"),
      row.replacing("\"memory\":[", with: "\"x\":["),
      row.replacing("\"window\":[", with: "\"window\":[1,1,1,1,1,1,1,"),
      row.replacing("\"memory\":[", with: "\"memory\":[-1.0,"),
    ] {
      #expect {
        _ = try restored(damage, "stats.sma { count = 5 }")
      } throws: { error in
        "\(error)" == "state.s: the stored statistic is damaged"
      }
    }
  }

  @Test("a map of state that looks like a stored statistic stays a map")
  func lookalike() throws {
    let source = """
      local M = { state = { map = {} }, on = {} }
      function M.on.feed(state, message) state.map = message end
      return M
      """
    let trial = try ScriptTrial(source)
    #expect(trial.receive(##"{"$statistic":"sma","value":1}"##) == nil)
    var row = trial.machine.row(of: 0)
    let next = try ScriptTrial(source)
    try row.withUTF8 { bytes in try next.machine.restore(key: "", row: UnsafeRawBufferPointer(bytes)) }
    #expect(next.machine.row(of: 0) == trial.machine.row(of: 0))
    #expect(row.contains("sma"))
  }

  @Test("a machine that was given up goes on with its statistics")
  func rebuild() throws {
    let trial = try ScriptTrial(
      """
      local M = { state = { s = stats.sma { count = 2 }, last = json.null }, on = {} }
      function M.on.feed(state, message)
        state.last = stats.add(state.s, message.v) or json.null
        if message.bomb then local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(50000) .. i end end
      end
      return M
      """)
    #expect(trial.receive(#"{"v":1}"#) == nil)
    #expect(trial.receive(#"{"v":50,"bomb":true}"#)?.cause == .memory)
    #expect(trial.machine.rebuildCount == 1)
    #expect(trial.receive(#"{"v":3}"#) == nil)
    #expect(try trial.state()["last"] == .number(2))
  }
}
