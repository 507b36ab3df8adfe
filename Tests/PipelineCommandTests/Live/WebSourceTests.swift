import Glibc
import Testing

@Suite(
  "Sources over HTTP in a live run",
  .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct WebSourceTests {
  private let folder: TemporaryFolder
  private let server: WebFeedServer

  init() throws {
    folder = try TemporaryFolder()
    server = try WebFeedServer(in: folder)
  }

  private func poll(_ path: String, _ options: String = "") throws -> String {
    "source.http { url = '\(try server.url(path))', every = '100ms', jitter = '10ms', "
      + "reconnect = { first = '10ms', cap = '50ms' }, \(options) }"
  }

  private func stream(_ path: String, _ options: String = "") throws -> String {
    "source.sse { url = '\(try server.url(path))', reconnect = { first = '10ms', cap = '50ms' }, \(options) }"
  }

  private func run(_ feed: String, script: String = TemporaryFolder.tellMessages, rest: String = "") throws
    -> RunningCommand
  {
    try RunningCommand(["run", write(feed: feed, script: script, rest: rest)], in: folder)
  }

  private func stop(_ run: RunningCommand) throws -> CommandRun {
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    return end
  }

  /// Writes a configuration in place of the one before.
  private func write(feed: String, script: String = TemporaryFolder.tellMessages, rest: String = "") throws
    -> String
  {
    for name in ["watch.lua", "config.lua"] { unlink(folder.path(name)) }
    return try folder.writeLive(feed: feed, script: script, rest: rest)
  }

  // MARK: - Polls

  @Test("an address is asked again and again, for news only, with its headers and body")
  func polling() throws {
    let feed = try poll("/poll", "headers = { ['X-Token'] = env 'FEED_TOKEN' }, body = { q = 'all' }")
    let run = try RunningCommand(
      program: "/usr/bin/env",
      ["FEED_TOKEN=hunter2", CommandRun.program, "run", write(feed: feed)],
      in: folder)
    try run.wait(for: "message 3.", in: .output)
    let end = try stop(run)
    #expect(
      try AlertLine.all(end.output).map(\.text).prefix(3) == ["message 1.", "message 2.", "message 3."])
    #expect(!end.errors.contains("hunter2"))
    let requests = server.requests(of: "/poll")
    #expect(requests[0] == "POST /poll X-Token=hunter2 {\"q\":\"all\"}")
    #expect(requests[1] == "POST /poll If-None-Match=\"1\" X-Token=hunter2 {\"q\":\"all\"}")
  }

  @Test(
    "a body that stays the same is one message, or many where that is wished for", arguments: [true, false])
  func unchanged(isSent: Bool) throws {
    let run = try run(poll("/same", isSent ? "unchanged = 'send'" : ""))
    try server.wait(for: "GET /same\n", times: 4)
    let count = try AlertLine.all(stop(run).output).count
    #expect(isSent ? count >= 3 : count == 1)
  }

  @Test("a refusal is told with its status, and Retry-After is kept")
  func tired() throws {
    let run = try run(poll("/tired"))
    try run.wait(for: "message 3.", in: .output)
    let end = try stop(run)
    #expect(end.errors.contains("disconnected (429): http://127.0.0.1:"), "\(end.errors)")
    #expect(end.errors.contains("answered 429; it asks to wait 1 s"))
  }

  @Test("an answer that is compressed without a word about it is told, and unpacked where that is said")
  func packed() throws {
    let blind = try run(poll("/packed"))
    try blind.wait(for: "this looks like gzip: set decompress")
    #expect(try stop(blind).output == "")
    let seeing = try run(poll("/packed", "decompress = 'auto'"))
    try seeing.wait(for: "message ", times: 2, in: .output)
    #expect(try !stop(seeing).errors.contains("decoded"))
  }

  @Test("an answer that is too large is told of, and the source stays")
  func big() throws {
    let run = try run(poll("/big", "max_message_bytes = 1000"))
    try run.wait(for: "an answer of more than 1000 bytes was skipped; raise 'max_message_bytes'", times: 2)
    let end = try stop(run)
    #expect(end.output.isEmpty && !end.errors.contains("warn feed: disconnected"))
  }

  @Test("a request without an answer ends by its own time-out, and is made again")
  func slow() throws {
    let run = try run(poll("/slow", "timeout = '100ms'"))
    try run.wait(for: "no answer from http://127.0.0.1:", times: 2)
    try server.wait(for: "GET /slow", times: 2)
    #expect(try stop(run).output.isEmpty)
  }

  // MARK: - Server-sent events

  @Test("events are messages, and a stream that ends goes on behind the last one")
  func events() throws {
    let run = try run(stream("/events", "events = { 'price' }"))
    try run.wait(for: "message 7.", in: .output)
    let texts = try AlertLine.all(stop(run).output).map(\.text)
    #expect(texts.prefix(7) == (1...7).map { "message \($0)." }[...])
    #expect(
      server.requests(of: "/events").prefix(3) == [
        "GET /events last=0", "GET /events last=3", "GET /events last=6",
      ])
  }

  @Test("the name of an event is its topic")
  func names() throws {
    let run = try run(
      stream("/events"),
      script: """
        local M = { state = {}, on = {} }
        function M.on.feed(state, message, ctx)
          alert.send { name = "seen", text = ctx.topic .. " " .. message.n }
        end
        return M
        """)
    try run.wait(for: "price 2", in: .output)
    let texts = try AlertLine.all(stop(run).output).map(\.text)
    #expect(texts.prefix(3) == ["price 1", "noise 0", "price 2"])
  }

  @Test("after kill -9 a stream goes on behind what is stored")
  func killed() throws {
    let storage = "storage = storage.sqlite { file = 'state.db' }"
    let feed = try stream("/events", "events = { 'price' }")
    let first = try run(feed, rest: storage)
    try first.wait(for: "message 4.", in: .output)
    first.send(signal: SIGKILL)
    _ = try first.finish()
    let before = server.requests(of: "/events").count
    let second = try run(feed, rest: storage)
    try server.wait(for: "GET /events", times: before + 1)
    _ = try stop(second)
    #expect(server.requests(of: "/events")[before] != "GET /events last=0")
  }

  @Test("a stream without a byte for too long is opened again")
  func idle() throws {
    let run = try run(stream("/stuck", "idle_timeout = '100ms'"))
    try run.wait(for: "not a byte came from http://127.0.0.1:", times: 2)
    try server.wait(for: "GET /stuck", times: 2)
    _ = try stop(run)
  }

  @Test("an answer 204 ends the source, and what is no stream is told")
  func noStream() throws {
    let over = try run(stream("/over")).finish()
    #expect(over.status == 1)
    #expect(over.errors.contains("answered 204: there is nothing more to come"), "\(over.errors)")
    #expect(server.requests(of: "/over").count == 1)
    let page = try run(stream("/same"))
    try page.wait(for: "answered with \"application/json\", expected \"text/event-stream\"", times: 2)
    _ = try stop(page)
  }

  @Test("peek shows topics, and a recording keeps them", arguments: ["peek", "record"])
  func topics(command: String) throws {
    let config = try folder.write("config.lua", "return { sources = { feed = \(try stream("/events")) } }")
    let recording = folder.path("day.ndjson")
    if command == "peek" {
      let run = try CommandRun(["peek", config, "--count", "1", "--format", "text"], in: folder)
      #expect(run.output.contains("feed  8 bytes, topic price\n"), "\(run.output)")
    } else {
      let run = try RunningCommand(["record", config, "--output", recording], in: folder)
      try server.wait(for: "GET /events last=3")
      _ = try stop(run)
      #expect(folder.read(recording).contains(#""source":"feed","topic":"noise","message":{"n": 0}}"#))
    }
  }
}
