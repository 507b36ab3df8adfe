import Glibc
import Testing

@Suite(
  "A bad day of a WebSocket feed", .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct FeedBadDayTests {
  private let folder: TemporaryFolder
  private let server: FeedServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FeedServer(in: folder)
  }

  private func source(_ url: String, _ options: String = "") -> String {
    "source.websocket { url = '\(url)', reconnect = { first = '10ms', cap = '50ms' }, \(options) }"
  }

  private func start(_ config: String) throws -> RunningCommand {
    try RunningCommand(["run", config], in: folder)
  }

  @Test(
    "a certificate that can't be trusted is told of, the connection tried again, and no message taken",
    arguments: [("untrusted", "self-signed certificate"), ("elsewhere", "127.0.0.1")])
  func wrongCertificate(name: String, words: String) throws {
    let trust = name == "elsewhere" ? "ca_file = 'elsewhere.pem'" : ""
    let config = try folder.writeLive(feed: source(server.url("/prices", server: name), trust))
    let run = try start(config)
    try run.wait(for: "warn feed: disconnected", times: 2)
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(end.output == "")
    let line = end.errors.split(separator: "\n").first { $0.contains("disconnected") } ?? ""
    #expect(
      line.contains("wss://127.0.0.1:") && line.contains("certificate") && line.contains(words), "\(line)")
    #expect(server.times(of: "request /prices").isEmpty)
  }

  @Test(
    "a certificate is taken when its authority is named, or when the configuration asks for no check",
    arguments: [
      ("untrusted", "ca_file = 'untrusted.pem'"), ("untrusted", "insecure_skip_verify = true"),
      ("elsewhere", "insecure_skip_verify = true"),
    ])
  func acceptedCertificate(name: String, option: String) throws {
    let run = try start(folder.writeLive(feed: source(server.url("/prices", server: name), option)))
    try run.wait(for: "message 1.", in: .output)
    run.send(signal: SIGTERM)
    #expect(try run.finish().status == 0)
  }

  @Test("an answer of 401 is told of with its status, and the feed goes on once it is let in")
  func unauthorized() throws {
    let run = try start(folder.writeLive(feed: source(server.url("/unauthorized?token=hunter2"))))
    try run.wait(for: "\"text\":\"message 3.\"", in: .output)
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(end.errors.split(separator: "\n").count { $0.contains("(401)") } == 2, "\(end.errors)")
    #expect(!end.errors.contains("hunter2"))
  }

  @Test("a function makes the headers anew for each connection, and one that fails is tried again")
  func headersFunction() throws {
    let headers = """
      headers = function(ctx)
        if ctx.connection == 2 then error("no token today") end
        return { ["X-Token"] = "token" .. ctx.connection }
      end
      """
    let run = try start(folder.writeLive(feed: source(server.url("/prices"), headers)))
    try run.wait(for: "message 1.", in: .output)
    try server.close("/prices")
    try run.wait(for: "message 2.", in: .output)
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(end.errors.contains("the function for headers failed: ") && end.errors.contains("no token today"))
    #expect(server.times(of: "token /prices token1").count == 1)
    #expect(server.times(of: "token /prices token3").count == 1)
  }

  @Test("a host that asks for time with 503 and Retry-After is left alone by all sources that use it")
  func busyHost() throws {
    let config = try folder.writeLive(
      feed: source(server.url("/busy")), sources: "companion = \(source(server.url("/companion")))",
      from: "'feed', 'companion'", script: TemporaryFolder.tellBoth)
    let run = try start(config)
    try run.wait(for: "(503)")
    try run.wait(for: "companion 1.", in: .output)
    try server.close("/companion")
    try run.wait(for: "companion 2.", in: .output)
    try run.wait(for: "feed 2.", in: .output)
    run.send(signal: SIGTERM)
    #expect(try run.finish().status == 0)
    let refused = try #require(server.times(of: "refused /busy 503").first)
    let later = server.times(of: "request /companion").last ?? 0
    let again = server.times(of: "request /busy").last ?? 0
    #expect(
      later - refused >= 999 && again - refused >= 999, "refused at \(refused), then \(later), \(again)")
  }

  @Test(
    "a message over the limit ends its connection with 1009 and names the option, and the next one goes on")
  func tooLarge() throws {
    let config = try folder.writeLive(feed: source(server.url("/big?size=2000"), "max_message_bytes = 1000"))
    let run = try start(config)
    try run.wait(for: "message 2.", in: .output)
    try server.wait(for: "closed /big 1009")
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(!end.output.contains("message 1."))
    let line = end.errors.split(separator: "\n").first { $0.contains("1009") } ?? ""
    #expect(line.contains("max_message_bytes"), "\(end.errors)")
  }

  @Test("a message of 10 MB is handled where the limits allow it")
  func largeMessage() throws {
    let config = try folder.writeLive(
      feed: source(server.url("/big?size=10000000"), "max_message_bytes = 11000000"),
      script: """
        local M = {}
        M.state = { size = 0 }
        M.on = {}
        function M.on.feed(state, message)
          state.size = #message.pad
          alert.send { name = "seen", text = "size " .. state.size .. "." }
        end
        return M
        """)
    let run = try start(config)
    try run.wait(for: "size 10000000.", in: .output)
    run.send(signal: SIGTERM)
    #expect(try run.finish().status == 0)
  }

  @Test(
    "a message of 10 MB that a script has no memory for goes into quarantine, and the next one is handled")
  func largeMessageWithoutMemory() throws {
    let config = try folder.writeLive(
      feed: source(server.url("/big?size=10000000"), "max_message_bytes = 11000000"),
      script: """
        local M = {}
        M.state = { count = 0 }
        M.on = {}
        function M.on.feed(state, message)
          local copies = {}
          for i = 1, 100 do copies[i] = message.pad .. i end
          alert.send { name = "seen", text = "message " .. message.n .. "." }
        end
        return M
        """)
    let run = try start(config)
    try run.wait(for: "watch: ")
    try server.close("/big")
    try run.wait(for: "message 2.", in: .output)
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(!end.output.contains("message 1."))
    #expect(end.errors.contains("memory"), "\(end.errors)")
  }

  @Test("a signal ends it while a connection is open and silent, and the server is told")
  func stopsSilentConnection() throws {
    let run = try start(folder.writeLive(feed: source(server.url("/silent"))))
    try run.wait(for: "feed: connected")
    run.send(signal: SIGINT)
    #expect(try run.finish().status == 0)
    try server.wait(for: "closed /silent 1001")
  }
}

extension TemporaryFolder {
  /// A script that tells the messages of two feeds.
  fileprivate static let tellBoth = """
    local M = {}
    M.state = { count = 0 }
    M.on = {}
    function M.on.feed(state, message) alert.send { name = "seen", text = "feed " .. message.n .. "." } end
    function M.on.companion(state, message)
      alert.send { name = "seen", text = "companion " .. message.n .. "." }
    end
    return M
    """
}
