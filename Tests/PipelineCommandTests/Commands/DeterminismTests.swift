import Composable
import Testing

@testable import Pipeline

/// Two processes have other addresses, other hash seeds and other times; what scripts do must not depend on them.
@Suite struct DeterminismTests {
  private static let maker = """
    local M = { key = "s", on = {}, actions = {}, events = {} }
    M.state = {
      price = json.null, count = 0, luck = 0, seen = {}, order = "", gaps = 0, replies = json.array {}, mean = stats.sma { count = 4 },
    }
    local over = alert.rule {
      name = "over", above = 105, clear_below = 100, for_duration = "2s", severity = "warning",
      text = function(price) return ("%.3f"):format(price) end,
    }

    function M.on.trade(state, message, ctx)
      state.count = state.count + 1
      state.price = num(message.p)
      state.luck = math.random(1000000)
      state.seen[message.id] = { at = ctx.time, luck = math.random(), text = tostring({}) }
      for id, entry in pairs(state.seen) do
        if ctx.time - entry.at > 20000 then state.seen[id] = nil end
      end
      local order = {}
      for word in pairs({ alpha = 1, beta = 2, gamma = 3, delta = 4, epsilon = 5, zeta = 6, [message.id] = 7 }) do
        order[#order + 1] = word
      end
      state.order = table.concat(order, " ")
      over:check(stats.add(state.mean, state.price))
      if state.count % 3 == 0 then
        effect.http { url = "https://example.org/" .. message.s, text = tostring(state.count), reply = "got" }
      end
      effect.after("700ms", "later", { n = state.count })
      emit("bars", { s = message.s, luck = state.luck, mean = stats.value(state.mean) })
      if message.p == 13 then error("unlucky " .. state.luck) end
    end

    function M.actions.got(state, reply, ctx)
      table.insert(state.replies, { at = ctx.time, text = reply.text, error = reply.error, luck = math.random(10) })
    end
    function M.actions.later(state, payload) state.luck = state.luck + payload.n end
    function M.actions.summary(state, payload, ctx)
      for key, other in each_key() do
        log.info("state of", key, json.encode {
          other.price, other.count, other.luck, other.seen, other.gaps, other.replies, other.order })
      end
    end
    function M.events.gap(state, event, ctx)
      state.gaps = state.gaps + (event.missed or 1)
      log.warn("gap", ctx.key, event.reason, math.random(10))
    end
    function M.events.connection(state, event, ctx) log.info(event.state, event.code, ctx.time) end

    M.timers = { summary = every("5s") }
    return M
    """

  private static let watcher = """
    local M = { key = "s", on = {}, state = { sum = 0, last = json.null } }
    function M.on.bars(state, bar, ctx)
      state.sum = state.sum + bar.luck
      state.last = bar.mean or json.null
      effect.publish("bars", { s = bar.s, sum = state.sum, luck = math.random(100), at = ctx.time })
      if state.sum % 7 == 0 then alert.send { name = "seven", text = "sum " .. state.sum, key = ctx.key } end
    end
    return M
    """

  private static let config = """
    return {
      sources = { trades = source.stdin {} },
      scripts = {
        maker = { file = "maker.lua", from = { trade = "trades" }, hosts = { "example.org" } },
        watcher = { file = "watcher.lua", from = { bars = "maker.bars" }, outputs = { bars = "bars" } },
      },
      channels = { screen = channel.console {}, bars = channel.file { path = "bars.ndjson" } },
      routes = { { to = { "screen" } } },
    }
    """

  /// A recording with everything that one can hold: 600 messages over three keys, cuts, gaps, replies, and ends of
  /// runs of a message, a timer and a message that one script handed to the other.
  private static var recording: String {
    var lines = #"{"time":1000,"source":"trades","event":"connected"}"# + "\n"
    var random = SeededRandom(seed: 4)
    var counts = [0, 0, 0]
    for number in 1...600 {
      let time = 1_000 + number * 250
      let key = Int(UInt64.random(in: 0..<3, using: &random))
      if number % 97 == 0 {
        lines +=
          #"{"time":\#(time),"script":"maker","killed":"time","input":"trade","source":"trades","after":1,"reason":"maker.lua:12: slow"}"#
          + "\n"
      }
      if number == 200 {
        lines +=
          #"{"time":\#(time),"script":"watcher","killed":"memory","input":"bars","key":"","reason":"watcher.lua:3: large"}"#
          + "\n"
          + #"{"time":\#(time + 5_000),"script":"maker","killed":"time","input":"actions.summary","key":"","reason":"maker.lua:30: slow"}"#
          + "\n"
      }
      if number % 50 == 0 {
        lines +=
          #"{"time":\#(time),"source":"trades","event":"gap","key":"K\#(key)","missed":2,"reason":"sequence"}"#
          + "\n"
      }
      if number % 120 == 0 {
        lines +=
          #"{"time":\#(time),"source":"trades","event":"disconnected","code":1001,"reason":"bye"}"# + "\n"
        lines += #"{"time":\#(time),"source":"trades","event":"connected"}"# + "\n"
      }
      counts[key] += 1
      let whole = 90 + Int.random(in: 0..<30, using: &random)
      let price = number % 41 == 0 ? "13" : "\(whole).\(Int.random(in: 10..<100, using: &random))"
      lines +=
        #"{"time":\#(time),"source":"trades","message":{"s":"K\#(key)","p":\#(price),"id":"\#(number % 60)"}}"#
        + "\n"
      if counts[key] % 3 == 0, number % 2 == 0 { lines += reply(time + 100, key, counts[key]) }
    }
    return lines
  }

  private static func reply(_ time: Int, _ key: Int, _ count: Int) -> String {
    let http = HTTPClient.Request(
      "https://example.org/K\(key)", method: "POST", headers: [], body: Array("\(count)".utf8))
    let request = WebRequest(
      id: "", number: 0, key: "K\(key)", request: http, pace: .zero, followsRedirects: false,
      host: "example.org")
    var response = HTTPClient.Response(status: 200)
    response.body = Array("reply \(count)".utf8)
    let line = RecordedReply(
      time: Timestamp(milliseconds: Int64(time)), script: "maker", request: request, reply: WebReply(response)
    )
    return String(decoding: line.bytes, as: UTF8.self)
  }

  @Test func `two processes that replay one recording come to the same state, effects and log`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.write("config.lua", Self.config)
    _ = try folder.write("maker.lua", Self.maker)
    _ = try folder.write("watcher.lua", Self.watcher)
    let file = try folder.write("tape.ndjson", Self.recording)
    let arguments = ["replay", config, file, "--format", "json", "--log-level", "debug"]
    let runs = try (0..<2).map {
      try CommandRun(arguments + ["--state", folder.path("state\($0)")], in: folder)
    }
    let logs = runs.map { run in
      // The summary tells how long it took.
      run.errors.split(separator: "\n").filter { !$0.contains(" messages in ") }
    }
    #expect(runs[0].status == 0, "\(runs[0].errors)")
    #expect(runs[0].output == runs[1].output)
    #expect(logs[0] == logs[1])
    let states = (0..<2).map { folder.read(folder.path("state\($0)")) }
    #expect(states[0] == states[1])
    for part in [
      #"{"script":"maker","key":"K0","state":{"#, #""seen":{"#,
      #"{"script":"watcher","key":"K2","state":{"last":"#,
      #"{"script":"maker","key":"K1","rule":"over","standing":["#, #""action":"later","due":"#,
      #""action":"summary","due":"#,
    ] {
      #expect(states[0].contains(part), "\(part) is missing in\n\(states[0].prefix(4_000))")
    }
    // All of it took place: alerts, states, replies that came and such that did not, gaps, and all ends of runs.
    #expect(runs[0].output.contains(#""name":"over""#))
    let log = logs[0].joined(separator: "\n")
    for part in [
      "state of K2", #""text":"reply "#, "not_recorded", "gap K", "maker.lua:12: slow",
      "watcher.lua:3: large",
      "maker.lua:30: slow", "unlucky", "disconnected 1001",
    ] {
      #expect(log.contains(part), "\(part) is missing in\n\(log.prefix(4_000))")
    }
  }
}
