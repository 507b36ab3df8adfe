import Scripting
import Testing

@Suite("Statistics of state")
struct StatisticTests {
  /// A script that gives each message's value to one statistic and keeps what came back.
  static func trial(_ declaration: String, limits: MachineLimits = MachineLimits()) throws -> ScriptTrial {
    try ScriptTrial(
      """
      local M = { state = { s = \(declaration), last = json.null, count = 0 }, on = {} }
      M.key = function(message) return message.k or "" end
      function M.on.feed(state, message, ctx)
        if message.add then
          state.last = stats.add(state.s, message.add, message.volume) or json.null
        elseif message.many then
          for _, value in ipairs(message.many) do state.last = stats.add(state.s, value) or json.null end
        elseif message.reset then
          stats.reset(state.s)
        else
          state.last = stats.value(state.s) or json.null
        end
        state.count = stats.count(state.s)
        if message.fail then error("no") end
      end
      return M
      """, limits: limits)
  }

  @discardableResult
  private func add(
    _ value: Double, to trial: ScriptTrial, volume: Double? = nil, at time: Int64 = 1_000, fail: Bool = false
  ) throws -> Double? {
    let message: Value = [
      "add": .number(value), "volume": volume.map { .number($0) } ?? .null, "fail": .bool(fail),
    ]
    let text = message.json.replacing(#""fail":false,"#, with: "").replacing(#","volume":null"#, with: "")
    let failure = trial.receive(text, time: time)
    #expect((failure != nil) == fail, "\(failure?.reason ?? "")")
    return try trial.state()["last"]?.double
  }

  @Test("a window by count gives nothing until it is full, and then moves")
  func counted() throws {
    let mean = try Self.trial("stats.sma { count = 3 }")
    #expect(try [1, 2, 6, 10].map { try add($0, to: mean) } == [nil, nil, 3, 6])
    let low = try Self.trial("stats.min { count = 3 }")
    #expect(try [5, 3, 4, 6, 7, 1].map { try add($0, to: low) } == [nil, nil, 3, 3, 4, 1])
    let high = try Self.trial("stats.max { count = 2 }")
    #expect(try [5, 3, 4, 4, 2].map { try add($0, to: high) } == [nil, 5, 4, 4, 4])
    let z = try Self.trial("stats.zscore { count = 3 }")
    #expect(try [1, 2, 3, 3, 3].map { try add($0, to: z) }.dropFirst(2).first == 1)
    #expect(try add(3, to: z) == 0, "what doesn't move is not off its mean")
  }

  @Test("a window by time gives nothing until it was covered, and holds what is younger than that")
  func timed() throws {
    let mean = try Self.trial(#"stats.sma { over = "3m" }"#)
    let values = try (0..<6).map { try add(Double($0), to: mean, at: Int64($0) * 60_000) }
    #expect(values == [nil, nil, nil, 2, 3, 4])
    #expect(try add(100, to: mean, at: 3_600_000) == 100, "all before is too old")
    let low = try Self.trial(#"stats.min { over = "2m" }"#)
    #expect(
      try [5.0, 3, 4, 6].enumerated().map { try add($1, to: low, at: Int64($0) * 60_000) } == [
        nil, nil, 3, 4,
      ])
  }

  @Test(
    "a statistic that is read later than it was fed leaves out what has grown too old, and is not changed")
  func readLater() throws {
    for (declaration, values) in [
      (#"stats.sma { over = "3m" }"#, [3.0, 3.5, 4]), (#"stats.max { over = "3m" }"#, [4, 4, 4]),
      (#"stats.vwap { over = "3m" }"#, [3, 3.5, 4]), (#"stats.rsi { over = "3m" }"#, [100, 100, 100]),
      (#"stats.rate { over = "3m", per = "1m" }"#, [1, 1, 1]),
    ] {
      let trial = try Self.trial(declaration)
      let volume = declaration.contains("vwap") ? 1.0 : nil
      for minute in 0..<5 { try add(Double(minute), to: trial, volume: volume, at: Int64(minute) * 60_000) }
      let before = trial.machine.row(of: 0)
      for (index, expected) in values.enumerated() {
        #expect(trial.receive("{}", time: Int64(4 + index) * 60_000) == nil)
        #expect(try trial.state()["last"]?.double == expected, "\(declaration) after \(index) minutes")
      }
      if !declaration.contains("rate") {
        #expect(trial.receive("{}", time: 3_600_000) == nil)
        #expect(try trial.state()["last"] == .null, "\(declaration)")
      }
      #expect(try trial.state()["s"] == Value(json: before)["s"], "\(declaration)")
    }
  }

  @Test("a late value counts at the newest time seen")
  func late() throws {
    let mean = try Self.trial(#"stats.sma { over = "1m" }"#)
    try add(1, to: mean, at: 100_000)
    try add(2, to: mean, at: 160_000)
    #expect(try add(6, to: mean, at: 10_000) == 4)
    #expect(try add(4, to: mean, at: 219_999) == 4)
    #expect(try add(4, to: mean, at: 220_000) == 4)
  }

  @Test(
    "an ema by count begins with the mean of its first values, and by time goes by the time between values")
  func ema() throws {
    let counted = try Self.trial("stats.ema { count = 3 }")
    #expect(try [1, 2, 6, 10, 8].map { try add($0, to: counted) } == [nil, nil, 3, 6.5, 7.25])
    let timed = try Self.trial(#"stats.ema { over = "1m" }"#)
    #expect(try add(10, to: timed, at: 0) == nil)
    let first = try #require(try add(20, to: timed, at: 60_000))
    #expect(abs(first - 16.321205588285577) < 1e-12)
    #expect(try add(30, to: timed, at: 60_000) == 10 + (first - 10) * 2, "at one instant the last counts")
  }

  @Test("an rsi by count is Wilder's")
  func rsi() throws {
    // The worked example of the books: 14 changes, then smoothed.
    let closes = [
      44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931,
      46.0328, 45.6140, 46.2820, 46.2820, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439,
    ]
    let trial = try Self.trial("stats.rsi { count = 14 }")
    let values = try closes.map { try add($0, to: trial) }
    #expect(values.prefix(14).allSatisfy { $0 == nil })
    let expected = [70.53, 66.32, 66.55, 69.41, 66.36, 57.97]
    for (value, expected) in zip(values.dropFirst(14), expected) {
      #expect(abs((value ?? 0) - expected) < 0.005)
    }
    let flat = try Self.trial("stats.rsi { count = 2 }")
    #expect(try [5, 5, 5].map { try add($0, to: flat) } == [nil, nil, 50])
  }

  @Test("a vwap weighs prices by volume, and there is none without volume")
  func vwap() throws {
    let trial = try Self.trial("stats.vwap { count = 2 }")
    #expect(try add(10, to: trial, volume: 1) == nil)
    #expect(try add(20, to: trial, volume: 3) == 17.5)
    #expect(try add(30, to: trial, volume: 0) == 20)
    #expect(try add(40, to: trial, volume: 0) == nil)
  }

  @Test("a rate is the change from the oldest value of the window, per second or what was said")
  func rate() throws {
    let timed = try Self.trial(#"stats.rate { over = "2m", per = "1m" }"#)
    let values = try [1.0, 2, 5, 5].enumerated().map { try add($1, to: timed, at: Int64($0) * 60_000) }
    #expect(values == [nil, nil, 2, 1.5])
    let counted = try Self.trial("stats.rate { count = 2 }")
    #expect(try add(1, to: counted, at: 0) == nil)
    #expect(try add(2, to: counted, at: 500) == 2)
    #expect(try add(7, to: counted, at: 500) == nil, "no time has passed")
  }

  @Test("each key has statistics of its own, and each_key reads them")
  func keys() throws {
    let trial = try ScriptTrial(
      """
      local M = { state = { mean = stats.sma { count = 2 } }, on = {}, key = "k" }
      function M.on.feed(state, message)
        if message.add then stats.add(state.mean, message.add) return end
        local seen = {}
        for key, s in each_key() do
          seen[#seen + 1] = key .. " " .. tostring(stats.value(s.mean)) .. " " .. stats.count(s.mean)
        end
        alert.send(table.concat(seen, ", "))
      end
      return M
      """)
    for (key, value) in [("a", 1), ("b", 10), ("a", 3), ("b", 20), ("c", 5)] {
      #expect(trial.receive(#"{"k":"\#(key)","add":\#(value)}"#) == nil)
    }
    #expect(trial.receive(#"{"k":"a"}"#) == nil)
    #expect(trial.sent == [["a 2.0 2, b 15.0 2, c nil 1"]])
  }

  @Test("reset empties a statistic")
  func reset() throws {
    let trial = try Self.trial("stats.sma { count = 2 }")
    try add(1, to: trial)
    try add(2, to: trial)
    #expect(trial.receive(#"{"reset":true}"#) == nil)
    #expect(try trial.state()["count"] == 0)
    #expect(try [5, 7].map { try add($0, to: trial) } == [nil, 6])
  }

  @Test(
    "what is no declaration is refused by name while the script loads",
    arguments: [
      ("stats.sma {}", #"stats.sma: expected a window, count = 14 or over = "5m""#),
      ("stats.sma()", "stats.sma: expected its options"),
      (#"stats.ema { count = 3, over = "1m" }"#, "stats.ema: expected count or over, got both"),
      ("stats.rsi { cuont = 14 }", "stats.rsi: unknown option 'cuont'; it takes count or over"),
      ("stats.rsi { count = 0 }", "stats.rsi: count: expected a whole number from 1 to 100000, got 0"),
      ("stats.zscore { count = 1 }", "expected a whole number from 2 to 100000, got 1"),
      ("stats.sma { count = 2.5 }", "expected a whole number from 1 to 100000, got 2.5"),
      (#"stats.sma { count = "3" }"#, "expected a whole number from 1 to 100000, got string"),
      (
        #"stats.sma { over = "5x" }"#,
        #"stats.sma: over: expected a duration up to a year such as "5m", got "5x""#
      ),
      (#"stats.sma { over = "0s" }"#, #"got "0s""#), (#"stats.sma { over = 5 }"#, "got number"),
      (#"stats.sma { over = "367d" }"#, "up to a year"),
      (#"stats.sma { over = "99999999999999999999s" }"#, "up to a year"),
      (#"stats.sma { over = "1m", per = "1s" }"#, "unknown option 'per'"),
      ("{ nested = stats.sma { count = 2 } }", "M.state.s: a statistic stands in M.state itself"),
      (
        "stats.min { count = 90000 }",
        "a full window takes 1440016 bytes of each key; the limit is 'state_size'"
      ),
    ])
  func declarations(_ declaration: String, _ expected: String) {
    #expect {
      _ = try Self.trial(declaration)
    } throws: { error in
      "\(error)".contains(expected)
    }
  }

  @Test(
    "what no statistic can do is refused by name at its line",
    arguments: [
      ("stats.add(state.s, 0/0)", "the value of sma 's': expected a number within 1e100, got nan"),
      ("stats.add(state.s, 1/0)", "got infinity"), ("stats.add(state.s, -2e100)", "got -2e+100"),
      ("stats.add(state.s)", "expected a number, got nothing"),
      (#"stats.add(state.s, "5")"#, "got string; num(…) makes one of a text"),
      ("stats.add(state.s, 1, 2)", "sma 's' takes one number; only vwap takes a volume too"),
      ("stats.add(state.v, 1)", "the volume of vwap 'v': expected a number, got nothing"),
      ("stats.add(state.v, 1, -1)", "the volume of vwap 'v': expected 0 or more, got -1"),
      ("stats.add(5, 1)", "stats.add: expected a statistic of state, such as state.mean"),
      (
        "stats.value(declared)", "expected a statistic of state, such as state.mean; what stats.… { } returns"
      ),
      ("return stats.sma { count = 2 }", "stats.sma is called while the script loads"),
      ("return state.s > 5", "a statistic is no number and has no fields; stats.value(…) gives its value"),
      ("return state.s.value", "stats.value(…) gives its value"), ("state.s.x = 1", "stats.value(…)"),
      (#"return "x" .. state.s"#, "stats.value(…)"), ("log(state.s)", "a statistic can't leave the script"),
      ("return state.s", "state.last: a statistic stands in M.state itself"),
      ("state.s = 5", "state.s is a statistic and can't be replaced"),
      ("state.s = nil", "state.s is a statistic and can't be replaced"),
      ("state.s, state.v = state.v, state.s", "state.s is a statistic and can't be replaced"),
      ("for _ in pairs(state.s) do end", "table expected, got statistic"),
      ("for _, s in each_key() do stats.add(s.s, 1) end", "statistics of other keys can only be read"),
    ])
  func refusals(_ use: String, _ expected: String) throws {
    let trial = try ScriptTrial(
      state:
        "{ count = 0, last = json.null, s = stats.sma { count = 2 }, v = stats.vwap { count = 2 } } declared = stats.sma { count = 2 }",
      body: use)
    let before = try trial.state()
    let reason = trial.receive(#"{"x":1}"#)?.reason
    #expect(reason?.contains(expected) == true, "\(reason ?? "no failure")")
    #expect(try trial.state() == before)
    #expect(trial.receive(#"{"ok":true}"#) == nil)
  }

  @Test("a statistic is of the type 'statistic', and a field that is left alone stays as it is")
  func type() throws {
    let trial = try ScriptTrial(
      state: "{ count = 0, last = json.null, s = stats.sma { count = 2 } }",
      body: "state.s = state.s return { type(state.s), tostring(state.s), state.s == state.s }")
    #expect(trial.receive("{}") == nil)
    #expect(try trial.state()["last"] == ["statistic", "statistic", true])
  }

  @Test("a window counts to the size of its key's state, and a full state refuses the next value")
  func size() throws {
    var limits = MachineLimits()
    limits.stateBytes = 20_000
    let trial = try ScriptTrial(
      """
      local M = { state = { s = stats.sma { count = 2000 }, text = "" }, on = {} }
      function M.on.feed(state, message)
        if message.text then state.text = string.rep("x", 10000) return end
        for i = 1, 1000 do stats.add(state.s, i) end
      end
      return M
      """, limits: limits)
    #expect(trial.receive(#"{"text":1}"#) == nil)
    #expect(trial.receive("{}") == nil)
    let row = trial.machine.row(of: 0)
    #expect(trial.receive("{}")?.reason.contains("the limit is 'state_size'") == true)
    #expect(trial.machine.row(of: 0) == row)
  }
}
