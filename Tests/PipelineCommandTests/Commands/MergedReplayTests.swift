import Pipeline
import Testing

/// Replays of several files whose messages take turns: they are handed over together, and nobody can tell.
@Suite struct MergedReplayTests {
  /// What it knows and tells depends on the order of all its messages, timers and rules.
  private static let chain = """
    local M = { key = "s", on = {}, actions = {}, events = {}, state = { chain = 7, count = 0, price = 0.0 } }
    local p = params { level = 100 }
    local over = alert.rule { name = "over", crosses_above = p.level }
    local long = alert.rule { name = "long", above = p.level + 5, for_duration = "400ms" }
    local function link(state, number, by)
      state.chain = (state.chain * 31 + number) % 1000003
      state.count = state.count + 1
      if state.count % 20 == 0 then alert.send { name = by, text = by .. " " .. state.chain, key = "all" } end
    end
    local function take(state, message, ctx)
      link(state, message.n, ctx.source)
      state.price = num(message.p)
      over:check(state.price)
      long:check(state.price)
      if message.n % 5 == 0 then effect.after("300ms", "later", { n = message.n }) end
    end
    M.on.first = take
    --[[second]]
    function M.actions.later(state, payload) link(state, payload.n, "later") end
    function M.events.gap(state, payload, ctx) link(state, payload.missed or 1, "gap") end
    return M
    """

  private static let both = chain.replacing(
    "--[[second]]",
    with: "function M.on.second(state, message, ctx) take(state, message, ctx) link(state, 3, 'second') end")

  private static let maker = """
    local M = { key = "s", on = {}, state = { chain = 7 } }
    local function take(state, message)
      state.chain = (state.chain * 31 + message.n) % 1000003
      emit("links", { s = message.s, chain = state.chain })
    end
    M.on.first, M.on.second = take, take
    return M
    """

  private static let reader = """
    local M = { key = "s", on = {}, state = { chain = 7, count = 0 } }
    function M.on.links(state, message)
      state.chain = (state.chain * 31 + message.chain) % 1000003
      state.count = state.count + 1
      if state.count % 30 == 0 then alert.send { name = "read", text = "read " .. state.chain } end
    end
    return M
    """

  private static let config = """
    return {
      sources = {
        one = source.stdin { sequence = { key = "s", last = "u" } },
        two = source.stdin { split = "items" },
        three = source.stdin {},
      },
      scripts = {
        a = { file = "chain.lua", from = { first = "one" } },
        b = { file = "both.lua", from = { first = "two", second = "three" }, params = { level = 95 } },
        c = { file = "maker.lua", from = { first = "three", second = "two" } },
        d = { file = "reader.lua", from = { links = "c.links" } },
        e = { file = "both.lua", from = { first = "one", second = "one" }, params = { level = 105 } },
        f = { file = "chain.lua", from = { first = "three" } },
        g = { file = "both.lua", from = { first = "one", second = "two" } },
      },
      channels = { screen = channel.console {} },
    }
    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in [
      ("chain.lua", Self.chain), ("both.lua", Self.both), ("maker.lua", Self.maker),
      ("reader.lua", Self.reader),
      ("config.lua", Self.config),
    ] { try folder.write(name, text) }
    return folder
  }

  /// A recording of so many messages of a source, with a source of its own now and then, and cuts.
  private static func recording(of source: String, _ count: Int, seed: UInt64) -> String {
    var lines = ""
    var random = SeededRandom(seed: seed)
    var (time, missed) = (1_000, 0)
    for number in 1...count {
      // Many at the same time, in this file and in the others.
      if Int.random(in: 0..<3, using: &random) == 0 { time += 50 * Int.random(in: 1..<4, using: &random) }
      if number % 211 == 0 { missed += 2 }
      var message =
        #"{"s":"K\#(number % 3)","n":\#(number),"u":\#(number / 3 + missed),"p":\#(Int.random(in: 85..<120, using: &random))}"#
      if number % 307 == 0 { message = #"{"s":"K1","n":"none"}"# }
      if source == "two" {
        message = "[" + Array(repeating: message, count: number % 4).joined(separator: ",") + "]"
      }
      let other = number % 97 == 0 ? "three" : source
      lines += #"{"time":\#(time),"source":"\#(other)","message":\#(message)}"# + "\n"
      if number % 600 == 0 {
        lines += "no line of a recording\n"
        lines += #"{"time":\#(time),"source":"\#(source)","text":"{broken"}"# + "\n"
        lines +=
          #"{"time":\#(time),"source":"\#(source)","event":"disconnected","code":1001,"reason":"bye"}"# + "\n"
        lines += #"{"time":\#(time),"source":"\#(source)","event":"connected"}"# + "\n"
      }
    }
    return lines
  }

  private func files(in folder: TemporaryFolder) throws -> [String] {
    try ["one", "two", "three"].enumerated().map { index, source in
      try folder.write("\(source).ndjson", Self.recording(of: source, 1_800, seed: UInt64(index + 1)))
    }
  }

  /// The alerts of each script, in their order.
  private static func alerts(of output: String) -> [String: [Substring]] {
    Dictionary(grouping: output.split(separator: "\n").dropLast()) { line in
      line.split(separator: #""script":""#).dropFirst().first.map { String($0.prefix { $0 != "\"" }) } ?? ""
    }
  }

  @Test func `several engines come to the bytes of one`() throws {
    let folder = try folder()
    let run = ["replay", folder.path("config.lua")] + (try files(in: folder)) + ["--format", "json"]
    let shared = try CommandRun(run, in: folder)
    let single = try CommandRun(run + ["--single"], in: folder)
    #expect(single.status == 0, "\(single.errors)")
    let isSame = shared.output == single.output
    #expect(isSame)
    func log(_ run: CommandRun) -> [Substring] {
      run.errors.split(separator: "\n").filter { !$0.contains(" messages in ") }.sorted()
    }
    let isLoggedAlike = log(shared) == log(single)
    #expect(isLoggedAlike)
    for name in ["one", "two", "three", "second", "later", "gap", "over", "long", "read"] {
      #expect(single.output.contains("\"name\":\"\(name)\""), "no alert '\(name)'")
    }
  }

  @Test func `messages handed over together lead to the alerts and states of messages that come alone`()
    throws
  {
    let folder = try folder()
    let run =
      ["replay", folder.path("config.lua")] + (try files(in: folder)) + ["--format", "json", "--state"]
    let together = try CommandRun(run + [folder.path("together")], in: folder)
    // What is played at a speed is handed over message by message.
    let alone = try CommandRun(run + [folder.path("alone"), "--speed", "1000000000000"], in: folder)
    #expect(alone.status == 0, "\(alone.errors)")
    let isSame = Self.alerts(of: together.output) == Self.alerts(of: alone.output)
    #expect(isSame)
    let states = try TextFile.read(folder.path("together"), maximumBytes: 1 << 20)
    #expect(!states.isEmpty)
    #expect(states == (try TextFile.read(folder.path("alone"), maximumBytes: 1 << 20)))
  }

  @Test func `plain messages of several files take turns`() throws {
    let folder = try folder()
    let lines = (1...3_000).map {
      #"{"s":"K\#($0 % 3)","n":\#($0),"u":\#($0 / 3),"p":\#(85 + $0 * 7 % 35)}"# + "\n"
    }
    let (one, three) = (
      try folder.write("one", lines.joined()), try folder.write("three", lines.reversed().joined())
    )
    let run = [
      "replay", folder.path("config.lua"), "one=\(one)", "three=\(three)", "--interval", "100ms", "--format",
      "json",
    ]
    let shared = try CommandRun(run, in: folder)
    let single = try CommandRun(run + ["--single"], in: folder)
    let alone = try CommandRun(run + ["--speed", "1000000000000"], in: folder)
    #expect(single.status == 0, "\(single.errors)")
    let isSame = shared.output == single.output
    #expect(isSame)
    let isSameAlone = Self.alerts(of: single.output) == Self.alerts(of: alone.output)
    #expect(isSameAlone)
    #expect(Self.alerts(of: single.output)["f"]?.isEmpty == false)
  }
}
