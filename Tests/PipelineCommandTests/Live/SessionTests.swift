import Glibc
import Testing

@Suite(
  "A server that wants to be talked to",
  .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct SessionTests {
  private let folder: TemporaryFolder
  private let server: FeedServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FeedServer(in: folder)
  }

  /// A source with a login, an echo for the server's pings, and one subscription.
  private func source(items: String, _ more: String = "") throws -> String {
    """
    source.websocket {
      url = '\(try server.url("/session"))', reconnect = { first = '10ms', cap = '50ms' },
      login = {
        { expect = { event = 'hello' } },
        { send = { op = 'login', token = env 'TOKEN' }, expect = { event = 'login' },
          refuse = { event = 'error' } },
      },
      echo = { { match = { ping = '{any}' }, send = { pong = '{ping}' } } },
      subscriptions = {
        trades = {
          send = { id = '{id}', symbols = { '{item}' } }, items = { \(items) },
          cancel = { id = '{id}', drop = '{items}' },
          expect = { id = '{id}', result = json.null }, refuse = { id = '{id}', error = '{any}' },
        },
      },
      \(more)
    }
    """
  }

  private func start(
    feed: String, token: String = "letmein", script: String = TemporaryFolder.tellMessages,
    rest: String = ""
  ) throws -> RunningCommand {
    try start(folder.writeLive(feed: feed, script: script, rest: rest), token: token)
  }

  private func start(_ config: String, token: String = "letmein") throws -> RunningCommand {
    try RunningCommand(
      program: "/usr/bin/env", ["TOKEN=\(token)", CommandRun.program, "run", config], in: folder)
  }

  @Test func `it logs in, subscribes, answers pings, and names the one symbol that is refused`() throws {
    let run = try start(
      feed: source(items: "'A', 'BAD', 'B'", "heartbeat = { every = '50ms', send = 'ping', expect = 'pong' }")
    )
    try run.wait(for: "message A 1.", in: .output)
    try run.wait(for: "message B 1.", in: .output)
    try run.wait(for: "subscription 'trades' (BAD): the server answered")
    try run.wait(for: "subscription failed", in: .output)
    try server.wait(for: #"got /session {"pong":1003}"#)
    try server.wait(for: "got /session ping", times: 3)
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    // Neither answers nor pings came to the script, which would have failed on them.
    #expect(!end.errors.contains("watch"), "\(end.errors)")
    #expect(!end.errors.contains("quarantine") && !end.errors.contains("letmein"), "\(end.errors)")
  }

  @Test func `a preset subscribes, answers for its heartbeat, and skips what comes again after a reconnect`()
    throws
  {
    let script = """
      local M = { on = {}, state = {} }
      function M.on.feed(_, message, ctx)
        alert.send { name = "seen", text = ("%s at %.2f."):format(message.instId, message.px) }
      end
      return M
      """
    let feed = """
      source.preset "okx.trades" {
        symbols = { "BTC-USDT", "BAD" }, url = "\(try server.url("/okx"))", pace = "0s",
        heartbeat = { every = "50ms", send = "ping", expect = "pong" }, reconnect = { first = "10ms", cap = "50ms" },
      }
      """
    let run = try start(folder.writeLive(feed: feed, script: script))
    try run.wait(for: "BTC-USDT at 0.50.", in: .output)
    try run.wait(for: "BTC-USDT at 1.50.", in: .output)
    try run.wait(for: "subscription 'trades' (BAD): the server answered")
    try server.wait(for: "got /okx ping", times: 2)
    try server.close("/okx")
    try run.wait(for: "BTC-USDT at 2.50.", in: .output)
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(end.output.split(separator: "1.50.").count == 2, "\(end.output)")
    #expect(!end.errors.contains("quarantine"), "\(end.errors)")
  }

  @Test func `a login that is refused is told of without its secret, and tried again`() throws {
    let run = try start(feed: source(items: "'A'"), token: "hunter2hunter2")
    try run.wait(for: "login step 2 was refused", times: 2)
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(!(end.errors + end.output).contains("hunter2"), "\(end.errors)")
  }

  @Test func `a source is given up after its attempts, and the program ends with 1`() throws {
    let feed = try source(items: "'A'").replacing("cap = '50ms'", with: "cap = '50ms', max_attempts = 2")
    let run = try start(feed: feed, token: "wrong")
    let end = try run.finish()
    #expect(end.status == 1)
    #expect(
      end.errors.contains("the source is over: given up after 2 attempts without data"), "\(end.errors)")
    #expect(end.output.contains("source failed"), "\(end.output)")
  }

  @Test func `what a script subscribes to holds over a reconnect and a restart`() throws {
    let script = """
      local M = { on = {}, state = { count = 0 } }
      function M.on.feed(state, message)
        state.count = state.count + 1
        if message.n == "A 1" and state.count == 1 then
          effect.subscribe("feed", "trades", { "C", "D" })
          effect.unsubscribe("feed", "trades", "A")
        elseif message.n == "D 1" then
          effect.subscribe("feed", "trades", "BYE")
        elseif message.n == "C 2" then
          effect.unsubscribe("feed", "trades", "BYE")
        end
        alert.send { name = "seen", text = "message " .. message.n .. "." }
      end
      return M
      """
    let feed = try source(items: "'A'").replacing("items =", with: "chunk = 1, items =")
    let config = try folder.writeLive(
      feed: feed, script: script, rest: "storage = storage.sqlite { file = 'state.db' },")
    let run = try start(config)
    try run.wait(for: "message D 2.", in: .output)
    try server.wait(for: #"got /session {"drop":["A"],"id":4}"#)
    run.send(signal: SIGTERM)
    #expect(try run.finish().status == 0)
    let again = try start(config)
    try again.wait(for: "subscription 'trades' (D): subscribed")
    again.send(signal: SIGTERM)
    let end = try again.finish()
    #expect(end.status == 0)
    #expect(!end.errors.contains("(A)"), "\(end.errors)")
  }
}
