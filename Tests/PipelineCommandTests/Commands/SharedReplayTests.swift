import Glibc
import Pipeline
import Scripting
import Testing

/// Replays whose scripts are shared out among engines.
@Suite struct SharedReplayTests {
  /// Fires and resolves often, fails now and then, logs, and has a timer that ends at the times of messages.
  private static let watch = """
    local M = { key = "s", on = {}, actions = {}, state = { price = 0.0, count = 0 } }
    local p = params { level = 100 }
    local over = alert.rule { name = "over", crosses_above = p.level }
    local long = alert.rule { name = "long", above = p.level + 5, for_duration = "1s" }
    function M.on.trade(state, message, ctx)
      state.price = num(message.p)
      state.count = state.count + 1
      if state.count % 13 == 0 then log.info(ctx.key .. " " .. state.count) end
      over:check(state.price)
      long:check(state.price)
      if state.count % 7 == 0 then effect.after("750ms", "later", { count = state.count }) end
    end
    function M.actions.later(state, payload)
      alert.send { name = "later", text = "count " .. payload.count, key = "all" }
    end
    return M
    """

  private static let maker = """
    local M = { key = "s", on = {}, state = { sum = 0.0 } }
    function M.on.trade(state, message)
      state.sum = state.sum + num(message.p)
      emit("sums", { s = message.s, sum = state.sum })
      if state.sum % 11 < 1 then alert.send { name = "eleven", text = "sum " .. state.sum } end
    end
    return M
    """

  private static let reader = """
    local M = { key = "s", on = {}, state = { count = 0 } }
    function M.on.sums(state, message)
      state.count = state.count + 1
      if state.count % 5 == 0 then alert.send { name = "fifth", text = "sum " .. message.sum } end
    end
    return M
    """

  private static let config = """
    return {
      sources = { btc = source.stdin {}, eth = source.simulated {} },
      scripts = {
        a = { file = "watch.lua", from = { trade = "btc" } },
        b = { file = "watch.lua", from = { trade = "eth" }, params = { level = 95 } },
        c = { file = "maker.lua", from = { trade = "btc" } },
        d = { file = "reader.lua", from = { sums = "c.sums" } },
        e = { file = "watch.lua", from = { trade = "btc" }, params = { level = 105 } },
      },
      channels = { screen = channel.console {} },
      routes = { { rule = "eleven", to = {} }, { to = { "screen" } } },
    }
    """

  /// Messages of two sources, many at the same time, some that fail or can't be decoded, lines that are none, and cuts.
  private static func recording(_ count: Int) -> String {
    var lines = ""
    var random = SeededRandom(seed: 7)
    for number in 1...count {
      let time = 1_000 + number / 3 * 250
      let source = number % 3 == 0 ? "eth" : "btc"
      let price = number % 101 == 0 ? "\"x\"" : "\(Int.random(in: 85..<120, using: &random))"
      lines +=
        #"{"time":\#(time),"source":"\#(source)","message":{"s":"K\#(number % 4)","p":\#(price)}}"# + "\n"
      if number % 500 == 0 {
        lines += "no line of a recording\n"
        lines += #"{"time":\#(time),"source":"btc","text":"{broken"}"# + "\n"
        lines += #"{"time":\#(time),"source":"btc","event":"disconnected","code":1001,"reason":"bye"}"# + "\n"
        lines += #"{"time":\#(time),"source":"btc","event":"connected"}"# + "\n"
      }
      if number % 700 == 0 {
        lines +=
          #"{"time":\#(time),"source":"eth","event":"gap","key":"K1","missed":2,"reason":"sequence"}"# + "\n"
      }
    }
    return lines
  }

  private func folder(_ maker: String = maker) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in [
      ("watch.lua", Self.watch), ("maker.lua", maker), ("reader.lua", Self.reader),
      ("config.lua", Self.config),
    ] { try folder.write(name, text) }
    return folder
  }

  @Test func `several engines come to the bytes of one`() throws {
    let folder = try folder()
    // More than are played in one go.
    let file = try folder.write("tape.ndjson", Self.recording(5_000))
    let config = folder.path("config.lua")
    let shared = try CommandRun(["replay", config, file, "--format", "json"], in: folder)
    let single = try CommandRun(["replay", config, file, "--format", "json", "--single"], in: folder)
    #expect(single.status == 0)
    #expect(shared.status == 0)
    #expect(single.output.split(separator: "\n").count > 5_000)
    #expect(shared.output == single.output)
    // What is logged has no order between scripts.
    func log(_ run: CommandRun) -> [Substring] {
      run.errors.split(separator: "\n").filter { !$0.contains(" messages in ") }.sorted()
    }
    #expect(log(shared) == log(single))
    let alerts = single.output.split(separator: "\n").dropLast()
    for name in ["fifth", "later", "long", "over"] {
      #expect(alerts.contains { $0.contains("\"name\":\"\(name)\"") })
    }
    #expect(!alerts.contains { $0.contains("\"name\":\"eleven\"") })
  }

  @Test func `what one group of scripts hands on takes nothing from the limit of another`() throws {
    let flooder = """
      local M = { on = {} }
      function M.on.trade(state, message) for i = 1, 900 do emit("many", i) end end
      return M
      """
    let reader = """
      local M = { on = {}, state = { count = 0 } }
      function M.on.many(state, number)
        state.count = state.count + 1
        if state.count % 900 == 0 then alert.send { name = "count", text = "" .. state.count } end
      end
      return M
      """
    let folder = try TemporaryFolder()
    for (name, text) in [("flooder.lua", flooder), ("reader.lua", reader)] { try folder.write(name, text) }
    func config(_ groups: Int) throws -> String {
      var scripts = ""
      for group in 0..<groups {
        scripts += "maker\(group) = { file = 'flooder.lua', from = { trade = 'btc' } },"
        for number in 0..<8 {
          scripts += "z\(group)_\(number) = { file = 'reader.lua', from = { many = 'maker\(group).many' } },"
        }
      }
      return try folder.write(
        "config\(groups).lua",
        "return { sources = { btc = source.stdin {} }, scripts = { \(scripts) }, "
          + "channels = { screen = channel.console {} } }")
    }
    let file = try folder.write("tape.ndjson", #"{"time":1000,"source":"btc","message":1}"# + "\n")
    let several = try config(3)
    let shared = try CommandRun(["replay", several, file, "--format", "json"], in: folder)
    let single = try CommandRun(["replay", several, file, "--format", "json", "--single"], in: folder)
    #expect(shared.output == single.output)
    #expect(single.output.contains(#""errors":0"#), "\(single.errors)")
    #expect(single.output.split(separator: "\n").count == 25)
  }

  @Test func `parts of the time, and files that end early, are played alike`() throws {
    let folder = try folder()
    let first = try folder.write("one.ndjson", Self.recording(2_000))
    let second = try folder.write("two.ndjson", Self.recording(900))
    let config = folder.path("config.lua")
    for options in [["--from", "20000"], ["--to", "60000"], ["--source", "btc"], ["--from", "1e"]] {
      let shared = try CommandRun(["replay", config, first, second] + options, in: folder)
      let single = try CommandRun(["replay", config, first, second, "--single"] + options, in: folder)
      #expect(shared.status == single.status)
      #expect(shared.output == single.output)
    }
  }

  @Test(.enabled(if: sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1))
  func `a script that reaches a source in secret ends a shared replay, and says how to go on`() throws {
    let secret = Self.maker.replacing("emit(", with: "effect['disc' .. 'onnect']('btc') emit(")
    let folder = try folder(secret)
    let file = try folder.write("tape.ndjson", Self.recording(100))
    let config = folder.path("config.lua")
    let shared = try CommandRun(["replay", config, file], in: folder)
    #expect(shared.status == 1)
    #expect(shared.errors.contains("script 'c' uses effect.connect or effect.disconnect by another name"))
    #expect(shared.errors.contains("add --single"))
    #expect(try CommandRun(["replay", config, file, "--single"], in: folder).status == 0)
  }

  @Test(.enabled(if: sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1))
  func `where one engine has to stop, what the others did behind that place isn't shown`() throws {
    let secret = Self.maker.replacing("emit(", with: "effect['disc' .. 'onnect']('btc') emit(")
    let folder = try folder(secret)
    // The first piece ends where the connection does: behind line 500, 42.5 s in.
    let file = try folder.write("tape.ndjson", Self.recording(1_200))
    func times(_ options: [String]) throws -> [String] {
      let run = try CommandRun(
        ["replay", folder.path("config.lua"), file, "--format", "json"] + options, in: folder)
      return try run.output.split(separator: "\n").compactMap { try Value(json: String($0))["time"]?.text }
    }
    let end = "1970-01-01T00:00:43"
    let shared = try times([])
    #expect(!shared.isEmpty && shared.allSatisfy { $0 < end })
    #expect(try times(["--single"]).contains { $0 > end })
  }

  @Test func `scripts that steer sources see what each other does`() throws {
    let folder = try folder(Self.maker.replacing("emit(", with: "effect.disconnect('btc') emit("))
    let file = try folder.write("tape.ndjson", Self.recording(300))
    let config = folder.path("config.lua")
    let shared = try CommandRun(["replay", config, file], in: folder)
    #expect(shared.status == 0)
    #expect(shared.output == (try CommandRun(["replay", config, file, "--single"], in: folder)).output)
  }
}
