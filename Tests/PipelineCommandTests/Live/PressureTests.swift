import Glibc
import Scripting
import Testing

@Suite(
  "Feeds that are faster than their scripts",
  .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct PressureTests {
  private let folder: TemporaryFolder
  private let server: FeedServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FeedServer(in: folder)
  }

  /// A script that works as long as a message says, and tells the server when it is done with one; at the last one
  /// it tells what it has kept until then.
  private static func script(_ form: String = "done", key: String = "", _ rest: String = "") -> String {
    """
    local M = { on = {}, events = {}, state = { count = 0, disorder = 0, last = -1 } }
    \(key)
    function M.on.feed(state, message)
      for i = 1, message.work or 0 do local unused = i * i end
      state.count = state.count + 1
      if message.n <= state.last then state.disorder = state.disorder + 1 end
      state.last = message.n
      if message.n < 10 then effect.send("out", "\(form) " .. message.n) end
      if message.last then
        local all = {}
        for key, s in each_key() do all[#all + 1] = key .. "=" .. s.count .. ":" .. s.last .. ":" .. s.disorder end
        table.sort(all)
        alert.send { name = "all", text = "all " .. table.concat(all, " ") .. "." }
      end
    end
    \(rest)
    return M
    """
  }

  /// Work that keeps a script busy for a good while, and some that is just slow.
  private static let (long, short) = (40_000_000, 400_000)

  private func config(
    _ query: String, _ options: String = "", script: String = script()
  ) throws -> String {
    let limits = "limits = { steps = 100000000000, time = '5m' }"
    return try folder.writeLive(
      feed: "source.websocket { url = '\(try server.url("/press?\(query)"))', \(options) }",
      from: "'feed' }, outputs = { out = 'feed' }, \(limits), params = {", script: script)
  }

  private func start(_ config: String) throws -> RunningCommand {
    try RunningCommand(["run", config, "--no-state"], in: folder)
  }

  private func stop(_ run: RunningCommand) throws -> CommandRun {
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0, "\(end.errors)")
    return end
  }

  /// The lines of the log that hold a text.
  private func lines(_ run: CommandRun, _ text: String) -> [Substring] {
    run.errors.split(separator: "\n").filter { $0.firstRange(of: text) != nil }
  }

  /// The number in front of a text.
  private func number(before text: String, in line: Substring?) -> Int? {
    guard let line, let end = line.firstRange(of: text)?.lowerBound else { return nil }
    return line[..<end].split(separator: " ").last.flatMap { Int($0) }
  }

  @Test func `pongs leave while a handler works, and all messages are handled in order`() throws {
    let run = try start(config("slow=\(Self.long)&count=100&pings=5"))
    try run.wait(for: "all ", in: .output)
    try server.wait(for: "pong /press", times: 5)
    try server.wait(for: "got /press done 0")
    // The log of the server is one: what it tells first happened first.
    let last = try #require(server.place(of: "pong /press", time: 5))
    #expect(try last < #require(server.place(of: "got /press done 0")))
    let end = try stop(run)
    #expect(end.output.contains("all =101:100:0."), "\(end.output)")
    #expect(!end.errors.contains("wait (queue)"), "\(end.errors)")
  }

  @Test("pings are answered during each of many slow messages, and no ping of ours drops the feed")
  func manySlowMessages() throws {
    let work = Self.long / 2
    let run = try start(
      config("slow=\(work)&work=\(work)&count=5&check=1", "ping = '20ms', ping_timeout = '2s'"))
    try run.wait(for: "all ", in: .output)
    try server.wait(for: "got /press done 5")
    for n in 1...5 {
      // The ping came right behind message n, and the script was busy with that.
      let pong = try #require(server.place(of: "pong /press", time: n))
      #expect(try pong < #require(server.place(of: "got /press done \(n)")))
    }
    let end = try stop(run)
    #expect(end.output.contains("all =6:5:0."), "\(end.output)")
    #expect(server.times(of: "request /press").count == 1)
    #expect(lines(end, "disconnected").count == 1, "\(end.errors)")
  }

  @Test func `a server that could not send for longer than a pong may take is not given up`() throws {
    let run = try start(
      config(
        "slow=\(Self.long)&work=\(Self.long / 40)&count=300&pad=100000",
        "queue = '64KiB', ping = '20ms', ping_timeout = '200ms'"))
    try run.wait(for: "all ", in: .output)
    let end = try stop(run)
    #expect(end.output.contains("all =301:300:0."), "\(end.output)")
    #expect(server.times(of: "request /press").count == 1, "\(end.errors)")
  }

  @Test func `with block nothing is lost, and its episode is told once`() throws {
    let run = try start(config("slow=\(Self.long)&count=3000&pad=1000", "queue = '64KiB'"))
    try run.wait(for: "all ", in: .output)
    let end = try stop(run)
    #expect(end.output.contains("all =3001:3000:0."), "\(end.output)")
    #expect(lines(end, "more than 65536 bytes wait (queue): nothing more is read of it until").count == 1)
    let over = lines(end, "its scripts have caught up")
    #expect(over.count == 1 && over.first?.hasSuffix("no message is lost") == true, "\(end.errors)")
  }

  @Test func `with drop_oldest the newest are handled, and what gave way is counted and told as a gap`()
    throws
  {
    let gaps = "function M.events.gap(state, gap) state.disorder = state.disorder + gap.missed end"
    let script = Self.script().replacing("return M", with: "\(gaps)\nreturn M")
      .replacing("if message.n <= state.last then state.disorder = state.disorder + 1 end", with: "")
    let run = try start(
      config(
        "slow=\(Self.long)&count=1500&pad=100&pings=1", "queue = '64KiB', overflow = 'drop_oldest'",
        script: script))
    try run.wait(for: "all ", in: .output)
    let end = try stop(run)
    #expect(lines(end, "(queue): the oldest messages give way").count == 1, "\(end.errors)")
    let over = lines(end, "its scripts have caught up")
    #expect(over.count == 1)
    let dropped = try #require(number(before: " messages of", in: over.first))
    #expect(dropped > 0)
    // What was handled and what the gap says is missing are all that was sent.
    #expect(end.output.contains("all =\(1_501 - dropped):1500:\(dropped)."), "\(end.output)")
  }

  @Test func `with latest_per_key the latest message of each key is handled`() throws {
    let script = Self.script(key: "M.key = 'k'")
    let run = try start(
      config(
        "slow=\(Self.long)&count=1500&keys=3&pad=100&pings=1",
        "queue = '64KiB', overflow = 'latest_per_key'", script: script))
    try run.wait(for: "all ", in: .output)
    let end = try stop(run)
    #expect(lines(end, "(queue): messages give way to later ones of their key").count == 1, "\(end.errors)")
    for (key, last) in [(0, 1_500), (1, 1_498), (2, 1_499)] {
      #expect(
        end.output.firstRange(of: " \(key)=") != nil && end.output.contains(":\(last):0"), "\(end.output)")
    }
  }

  @Test func `a stop while messages wait is clean, and says what is left`() throws {
    let run = try start(config("slow=\(Self.short)&work=\(Self.short)&count=5000&pings=1"))
    try server.wait(for: "pong /press")
    try server.wait(for: "got /press done 0")
    let end = try stop(run)
    #expect(lines(end, "messages that were read and waited are not handled").count == 1, "\(end.errors)")
    #expect(!end.output.contains("all "))
    try server.wait(for: "closed /press 1001")
  }

  @Test func `a script is replaced while messages wait for it`() throws {
    let config = try config("slow=\(Self.short)&work=\(Self.short)&count=2000&pings=1")
    let run = try start(config)
    try server.wait(for: "got /press done 0")
    try server.wait(for: "pong /press")
    let faster = Self.script("other").replacing("message.work or 0", with: "0")
    try folder.overwrite("watch.lua", faster)
    try run.wait(for: "all ", in: .output)
    let end = try stop(run)
    #expect(end.output.contains("all =2001:2000:0."), "\(end.output)")
    #expect(end.errors.contains("watch: reloaded"), "\(end.errors)")
  }

  @Test func `status shows what waits, and since when`() throws {
    let config = try config("slow=\(Self.short)&work=\(Self.short)&count=5000&pings=1")
    let run = try start(config)
    try server.wait(for: "pong /press")
    let status = try Value(json: CommandRun(["status", config, "--format", "json"], in: folder).output)
    guard case .list(let sources)? = status["sources"], let source = sources.first else {
      throw CommandFailure("no sources in \(status)")
    }
    guard case .integer(let queued)? = source["queued"], case .integer(let lag)? = source["lag_ms"] else {
      throw CommandFailure("no queue in \(source)")
    }
    #expect(queued > 0 && lag >= 0)
    #expect(source["dropped"] == 0 && source["blocked"] == false && source["queue_limit_bytes"] == 8_000_000)
    let text = try CommandRun(["status", config, "--format", "text"], in: folder)
    #expect(text.output.contains("queued  lag"), "\(text.output)")
    _ = try stop(run)
  }
}
