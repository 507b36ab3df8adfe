import Composable
import Scripting
import Testing

@testable import Pipeline

@Suite("What a recording tells beside messages")
struct RecordedOutcomeTests {
  private let folder = StorageFolder()

  /// Plays a recording to a script with the source `feed`, and returns its log, failures and state.
  private func play(_ recording: String, script: String, isStreamed: Bool = false) async throws -> [String] {
    let runner = try ScriptRunner(name: "trial", file: ScriptFile(name: "trial.lua", source: script))
    let wiring = EngineWiring(
      runners: [runner], feeds: [runner.inputs.map { EngineWiring.Feed(runner: runner, input: $0) }],
      router: AlertRouter(routes: [], channels: ["screen"]))
    let path = folder.file("recording.ndjson")
    try TextFile.create(path, recording)
    let cursor = RecordingCursor(try RecordingFile(path: path), form: .recording(), sources: ["feed"])
    let reader = RecordingReader([cursor]) { Issue.record("line \($1): \($2)") }
    let start = try reader.start()
    let outcomes = try RecordingFile.outcomes(of: path)
    let host = await VirtualHost(
      wiring: wiring, sourceNames: ["feed"], channels: ["screen"], now: start ?? Timestamp(milliseconds: 0),
      replies: .recorded(isStreamed ? nil : outcomes))
    return try await Self.play(reader, on: host)
  }

  private static func play(
    _ reader: sending RecordingReader, on host: isolated VirtualHost
  ) throws -> [String] {
    host.start()
    while let piece = try reader.next() {
      switch piece {
      case .messages(let batch, let source): host.receive(batch, source: source)
      case .merged(let messages): host.receive(messages)
      case .happening(let happening): host.tell(happening)
      }
    }
    host.advance(to: host.now + .minutes(5))
    var lines = host.takeEvents().compactMap { event -> String? in
      switch event {
      case .asked(_, .log(_, let text)): text
      case .quarantined(let row): "failed \(row.input): \(row.reason)"
      default: nil
      }
    }
    lines +=
      host.runner(named: "trial")?.rows.sorted { $0.key < $1.key }.map { "'\($0.key)' \($0.value)" } ?? []
    return lines
  }

  private static let asking = """
    local M = { on = {}, actions = {}, state = { asked = 0 } }
    function M.on.feed(state, message)
      state.asked = state.asked + 1
      effect.http { url = "https://example.org/" .. message, reply = "got" }
    end
    function M.actions.got(state, reply, ctx)
      log.info(("%d: %s %s"):format(ctx.time, reply.text or reply.status or "no", reply.error or "fine"))
    end
    return M
    """

  /// The line of a reply to the request of a number, for the path that was asked for.
  private static func reply(at time: Int64, to number: UInt64, path: String, text: String) -> String {
    var response = HTTPClient.Response(status: 200)
    response.body = Array(text.utf8)
    let request = WebRequest(
      id: "\(number)", number: number, key: "", request: HTTPClient.Request("https://example.org/\(path)"),
      pace: .zero, followsRedirects: true, host: "example.org")
    let line = RecordedReply(
      time: Timestamp(milliseconds: time), script: "trial", request: request, reply: WebReply(response))
    return String(decoding: line.bytes, as: UTF8.self)
  }

  @Test("a reply comes at its time to the request it was for; an unrecorded one is not_recorded at once")
  func replies() async throws {
    let recording =
      """
      {"time":1000,"source":"feed","message":"a"}
      {"time":2000,"source":"feed","message":"lost"}
      {"time":3000,"source":"feed","message":"a"}

      """ + Self.reply(at: 4_000, to: 3, path: "a", text: "third")
      + Self.reply(at: 5_000, to: 1, path: "a", text: "first")
      + Self.reply(at: 6_000, to: 9, path: "other", text: "nobody asked")
    let lines = ["3000: no not_recorded", "4000: third fine", "5000: first fine", #"'' {"asked":3}"#]
    let played = try await play(recording, script: Self.asking)
    #expect(played == lines)
  }

  @Test("where the recording can be read but once, an unrecorded reply is told when the request times out")
  func streamedReplies() async throws {
    let recording =
      """
      {"time":1000,"source":"feed","message":"lost"}
      {"time":1000,"source":"feed","message":"a"}

      """ + Self.reply(at: 4_000, to: 2, path: "a", text: "second")
    let lines = ["4000: second fine", "31000: no not_recorded", #"'' {"asked":2}"#]
    #expect(try await play(recording, script: Self.asking, isStreamed: true) == lines)
  }

  private static let counting = """
    local M = { on = {}, actions = {}, state = { count = 0, ticks = 0 } }
    function M.on.feed(state, message)
      state.count = state.count + message
      effect.after("1s", "tick")
    end
    function M.actions.tick(state) state.ticks = state.ticks + 1 end
    return M
    """

  @Test(
    "a run that a limit ended when it was recorded ends again, alone, as if the limit fell",
    arguments: [false, true])
  func kills(isStreamed: Bool) async throws {
    let recording = """
      {"time":1000,"source":"feed","message":1}
      {"time":1001,"script":"trial","killed":"time","input":"feed","source":"feed","after":2,"reason":"trial.lua:3: slow"}
      {"time":1000,"source":"feed","message":10}
      {"time":1001,"source":"feed","message":100}
      {"time":1001,"source":"feed","message":1000}
      {"time":1001,"source":"feed","message":10000}
      {"time":2001,"script":"trial","killed":"memory","input":"actions.tick","key":"","reason":"trial.lua:6: large"}
      {"time":9000,"source":"feed","message":100000}
      """
    let lines = [
      "failed feed: trial.lua:3: slow", "failed actions.tick: trial.lua:6: large",
      #"'' {"count":110111,"ticks":1}"#,
    ]
    #expect(try await play(recording, script: Self.counting, isStreamed: isStreamed) == lines)
  }

  @Test("what a live run tells of a slow handler lets a replay come to the same state")
  func told() throws {
    let slow = """
      local M = { on = {}, state = { count = 0 } }
      function M.on.feed(state, message)
        state.count = state.count + message
        if message == 13 then while true do end end
      end
      return M
      """
    var limits = MachineLimits()
    limits.milliseconds = 20
    limits.steps = 1_000_000_000_000
    func batch() -> MessageBatch {
      let batch = MessageBatch()
      for number in [1, 2, 13, 4] { batch.append("\(number)", time: 1_000) }
      _ = batch.decode()
      return batch
    }
    let file = ScriptFile(name: "slow.lua", source: slow)
    let live = try ScriptRunner(name: "trial", file: file, limits: limits)
    live.handle(batch(), in: 0..<4, input: "feed", source: "feed", number: 0)
    let kills = live.takeKills()
    #expect(kills.map(\.after) == [2] && kills.map(\.cause) == [.time])
    #expect(live.rows == ["": #"{"count":7}"#])
    // Without the limit, and without the wait that it would take.
    let again = try ScriptRunner(name: "trial", file: file, limits: MachineLimits())
    for kill in kills { again.foretell(kill) }
    again.handle(batch(), in: 0..<4, input: "feed", source: "feed", number: 0)
    #expect(again.rows == live.rows)
    #expect(again.takeFailures().map(\.reason) == live.takeFailures().map(\.reason))
    #expect(again.takeKills().isEmpty, "what was foretold is not told again")
  }

  @Test("of messages that another script hands on at one time, the one ends again that did")
  func handedOn() throws {
    let script = HistoryOutcomeTests.reader
    func runner(memory: Int) throws -> ScriptRunner {
      var limits = MachineLimits()
      limits.memoryBytes = memory
      return try ScriptRunner(
        name: "trial", file: ScriptFile(name: "trial.lua", source: script), limits: limits)
    }
    func hand(_ numbers: [Int], to runner: ScriptRunner) {
      for number in numbers {
        let batch = MessageBatch()
        batch.append("\(number)", time: 1_000)
        _ = batch.decode()
        runner.handle(
          batch, in: 0..<1, input: "numbers", source: "maker", topic: "numbers", number: 0)
      }
    }
    let live = try runner(memory: 1 << 20)
    hand([1, 2, 13, 4], to: live)
    let kills = live.takeKills()
    #expect(kills.map(\.after) == [2] && kills.map(\.cause) == [.memory])
    #expect(live.rows == ["": #"{"seen":"1 2 4 "}"#])
    let again = try runner(memory: 64 << 20)
    for kill in kills {
      let read = try kill.bytes.dropLast().withUnsafeBytes { try RecordedLine($0).ofScript }
      #expect(read == .kill(kill))
      again.foretell(kill)
    }
    hand([1, 2, 13, 4], to: again)
    #expect(again.rows == live.rows)
  }

  @Test("a gap is told to the script under its key")
  func gap() async throws {
    let script = """
      local M = { on = {}, events = {}, key = "s", state = { gaps = 0 } }
      function M.on.feed(state, message) log.info("message of", message.s) end
      function M.events.gap(state, event, ctx)
        state.gaps = state.gaps + 1
        log.info("gap of", ctx.key, event.missed, event.reason, event.source)
      end
      return M
      """
    let recording = """
      {"time":1000,"source":"feed","message":{"s":"A"}}
      {"time":1000,"source":"feed","event":"gap","key":"A","missed":2,"reason":"sequence"}
      {"time":1000,"source":"feed","message":{"s":"B"}}
      """
    let played = try await play(recording, script: script)
    #expect(played.prefix(3) == ["message of A", "gap of A 2 sequence feed", "message of B"])
    #expect(played.contains(#"'A' {"gaps":1}"#))
  }
}
