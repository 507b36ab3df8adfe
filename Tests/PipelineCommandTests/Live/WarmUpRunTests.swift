import Glibc
import Testing

@Suite(
  "Histories before a live run",
  .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct WarmUpRunTests {
  private let folder: TemporaryFolder
  private let server: WebFeedServer

  init() throws {
    folder = try TemporaryFolder()
    server = try WebFeedServer(in: folder)
  }

  private static let script = """
    local M = { on = {}, state = { sum = 0, order = "", seen = 0 } }
    local high = alert.rule { name = "high", above = 5 }
    local function add(state, value, ctx)
      state.sum = state.sum + value
      state.order = state.order .. value .. (ctx.replayed and "r " or " ")
      high:check(state.sum)
    end
    function M.on.candle(state, candle, ctx) add(state, candle[2], ctx) end
    function M.on.feed(state, message, ctx)
      add(state, message.n, ctx)
      alert.send { name = "sum", text = state.order .. "= " .. state.sum }
    end
    return M
    """

  private func write(_ path: String, _ options: String = "") throws -> String {
    for name in ["watch.lua", "config.lua"] { unlink(folder.path(name)) }
    try folder.write("watch.lua", Self.script)
    return try folder.write(
      "config.lua",
      """
      return {
        sources = { feed = source.stdin {} },
        scripts = { watch = {
          file = "watch.lua", from = { "feed" },
          warm_up = { candle = {
            http = '\(server.url(path))', headers = { ["X-Token"] = env "FEED_TOKEN" }, split = "items",
            split_field = "rows", time = { field = "1", unit = "s" }, numbers = { "2" }, \(options)
          } },
        } },
        channels = { main = channel.console {} },
        storage = storage.sqlite { file = "state.db" },
      }
      """)
  }

  private func run(_ config: String, _ arguments: [String] = []) throws -> RunningCommand {
    try RunningCommand(
      program: "/usr/bin/env",
      ["FEED_TOKEN=hunter2", CommandRun.program, "run", config, "--format", "json"] + arguments, in: folder,
      hasInput: true)
  }

  private func end(_ run: RunningCommand, after message: String) throws -> (alerts: [String], errors: String)
  {
    try run.write(message + "\n")
    run.closeInput()
    let end = try run.finish()
    #expect(end.status == 0, "\(end.errors)")
    return (try AlertLine.all(end.output).map(\.text), end.errors)
  }

  @Test func `a script that has nothing stored begins with its history, and goes on without it`() throws {
    let config = try write("/candles")
    let first = try end(run(config), after: #"{"n":1}"#)
    #expect(first.alerts.contains("10.0r 20.0r 30.0r 1 = 61.0"))
    #expect(first.alerts.count == 2)
    #expect(first.errors.contains("watch: M.on.candle was warmed up with 3 messages"))
    #expect(!first.errors.contains("hunter2"))
    let second = try end(run(config), after: #"{"n":2}"#)
    #expect(second.alerts.contains("10.0r 20.0r 30.0r 1 2 = 63.0"))
    #expect(server.requests(of: "/candles") == ["GET /candles X-Token=hunter2"])
  }

  @Test(
    "a history that can't be had is told, and the script starts cold",
    arguments: [
      ("/broken", "answered 500"), ("/garbled", "message 1 can't be decoded"), ("/slow", "no answer from"),
    ])
  func cold(path: String, reason: String) throws {
    let run = try end(run(write(path, "timeout = '300ms'")), after: #"{"n":1}"#)
    #expect(run.alerts == ["1 = 1"])
    let lines = run.errors.split(separator: "\n").filter { $0.contains("can't read the history") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains(reason) == true && lines.first?.hasSuffix("; it starts cold") == true)
  }

  @Test func `a history that is required and can't be had stops the start`() throws {
    let run = try run(write("/broken", "required = true"))
    let end = try run.finish()
    #expect(end.status == 1)
    #expect(end.errors.contains("can't read the history of M.on.candle of watch: http://127.0.0.1:"))
    #expect(end.errors.contains("answered 500; it is 'required'"))
  }

  @Test func `a stop doesn't wait for a history`() throws {
    let run = try run(write("/slow"))
    try server.wait(for: "/slow")
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(!end.errors.contains("history"))
  }

  @Test func `a recording holds the history, and a replay needs no network`() throws {
    let config = try write("/candles")
    let tape = folder.path("tape.ndjson")
    let live = try end(run(config, ["--record", tape]), after: #"{"n":1}"#)
    let replay = try CommandRun(["replay", config, tape, "--format", "json"], in: folder)
    #expect(try AlertLine.all(replay.output).map(\.text).filter { !$0.isEmpty } == live.alerts)
    #expect(server.requests(of: "/candles").count == 1)
    // Without its first lines the history isn't known.
    let rest = folder.read(tape).split(separator: "\n").filter { !$0.contains("\"history\"") }
    try folder.write("rest.ndjson", rest.joined(separator: "\n"))
    let cold = try CommandRun(["replay", config, folder.path("rest.ndjson"), "--format", "json"], in: folder)
    #expect(cold.output.contains("1 = 1"))
    #expect(cold.errors.contains("can't read the history of M.on.candle of watch: not_recorded"))
  }
}
