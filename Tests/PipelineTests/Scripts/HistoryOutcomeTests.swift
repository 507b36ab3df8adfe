import Scripting
import Testing

@testable import Pipeline

/// What a history led to is told, so that a replay with other limits at hand comes to the same.
@Suite struct HistoryOutcomeTests {
  /// Hands each message's numbers on, one after the other.
  private static let maker = """
    local M = { on = {}, state = { count = 0 } }
    function M.on.feed(state, message)
      state.count = state.count + 1
      for _, number in ipairs(message) do emit("numbers", number) end
      if message[1] == 99 then
        local large = {}
        for i = 1, 200000 do large[i] = i end
      end
    end
    return M
    """

  /// A script that needs much memory for 13 alone.
  static let reader = """
    local M = { on = {}, state = { seen = "" } }
    function M.on.numbers(state, number)
      state.seen = state.seen .. number .. " "
      if number == 13 then
        local large = {}
        for i = 1, 200000 do large[i] = i end
      end
    end
    return M
    """

  private static func wiring(memory: Int) throws -> EngineWiring {
    var limits = MachineLimits()
    limits.memoryBytes = memory
    let runners = try [("maker", maker), ("reader", reader)].map { name, source in
      try ScriptRunner(name: name, file: ScriptFile(name: "\(name).lua", source: source), limits: limits)
    }
    let numbers = EngineWiring.Topic(
      name: "numbers", feeds: [EngineWiring.Feed(runner: runners[1], input: "numbers")])
    return EngineWiring(
      runners: runners, feeds: [[EngineWiring.Feed(runner: runners[0], input: "feed")]],
      topics: [[numbers], []], router: AlertRouter(routes: [], channels: []))
  }

  private static func history(_ messages: [(time: Int64, text: String)]) -> History {
    History(
      messages.map {
        RecordedHistory(
          time: Timestamp(milliseconds: $0.time), script: "maker", input: "feed", message: Array($0.text.utf8)
        )
      })
  }

  private static func states(_ wiring: EngineWiring) -> [[String: String]] { wiring.runners.map(\.rows) }

  /// Warms scripts up with little memory, and returns what was told and what they know.
  private func live(
    _ messages: [(time: Int64, text: String)]
  ) throws -> (told: [RecordedHappening], states: [[String: String]]) {
    let wiring = try Self.wiring(memory: 1 << 20)
    var (told, warmUp) = ([RecordedHappening](), WarmUp(wiring, sourceNames: ["feed"]))
    let refusal = warmUp.run(
      Self.history(messages), at: Timestamp(milliseconds: 1_000_000), log: { _, _, _ in },
      told: { told.append($0) })
    #expect(refusal == nil)
    return (told, Self.states(wiring))
  }

  /// What scripts with much memory know that play the recording of it, looked through beforehand or read but once.
  @MainActor private func replay(
    _ told: [RecordedHappening], isStreamed: Bool
  ) throws -> [[String: String]] {
    let folder = StorageFolder()
    let path = folder.file("tape.ndjson")
    let lines = told.flatMap { RecordedLine.bytes($0, sources: ["feed"]) }
    try TextFile.create(path, String(decoding: lines, as: UTF8.self))
    let cursor = RecordingCursor(try RecordingFile(path: path), form: .recording(), sources: ["feed"])
    let reader = RecordingReader([cursor]) { Issue.record("line \($1): \($2)") }
    let outcomes = try RecordingFile.outcomes(of: path)
    let wiring = try Self.wiring(memory: 64 << 20)
    let engine = VirtualEngine(
      wiring: wiring, sourceNames: ["feed"], channels: [], now: Timestamp(milliseconds: 1_000_000),
      replies: .recorded(isStreamed ? nil : outcomes))
    let recorded = try reader.takeHistory()
    for kill in recorded.kills { engine.tell(.kill(kill)) }
    #expect(engine.warmUp(with: History(recorded.messages)) == nil)
    let rest = try reader.next()
    #expect(rest == nil, "all of it belongs to the history")
    return Self.states(wiring)
  }

  @Test(arguments: [false, true])
  func `what a handed-on message was ended for is ended again, among others of its time`(
    isStreamed: Bool
  ) async throws {
    let live = try live([(1_000, "[1,13,2]"), (1_000, "[3,13]"), (2_000, "[13,4]"), (3_000, "[5]")])
    let kills = live.told.compactMap { if case .kill(let kill) = $0 { kill } else { nil } }
    #expect(kills.map(\.after) == [1, 4, 0])
    #expect(kills.allSatisfy { $0.script == "reader" && $0.input == "numbers" && $0.cause == .memory })
    #expect(live.states == [["": #"{"count":4}"#], ["": #"{"seen":"1 2 3 4 5 "}"#]])
    #expect(try await replay(live.told, isStreamed: isStreamed) == live.states)
    // Without what was told it comes out differently.
    let rest = live.told.filter { if case .kill = $0 { false } else { true } }
    #expect(try await replay(rest, isStreamed: isStreamed) != live.states)
  }

  @Test(arguments: [false, true])
  func `messages that were ended themselves are kept, so that a suspension comes again`(
    isStreamed: Bool
  ) async throws {
    let live = try live(
      [
        (998, "[99]"), (999, "[99]"), (999, "[3]"), (1_000, "[99,7]"), (1_001, "[99,8]"), (1_002, "[99]"),
        (1_003, "[1]"), (60_000, "[2]"),
      ])
    #expect(live.states == [["": #"{"count":2}"#], ["": #"{"seen":"3 2 "}"#]])
    #expect(try await replay(live.told, isStreamed: isStreamed) == live.states)
  }

  @Test func `a history that floods others is cut off, and that goes to the quarantine`() throws {
    let flooder = try ScriptRunner(
      name: "flooder",
      file: ScriptFile(
        name: "flooder.lua",
        source: """
          local M = { on = {} }
          function M.on.feed() for i = 1, 1000 do emit("many", i) end end
          return M
          """))
    let readers = try (0..<11).map {
      try ScriptRunner(
        name: "reader\($0)",
        file: ScriptFile(
          name: "reader.lua",
          source: """
            local M = { on = {}, state = { count = 0 } }
            function M.on.many(state) state.count = state.count + 1 end
            return M
            """))
    }
    let many = EngineWiring.Topic(
      name: "many", feeds: readers.map { EngineWiring.Feed(runner: $0, input: "many") })
    let wiring = EngineWiring(
      runners: [flooder] + readers, feeds: [[EngineWiring.Feed(runner: flooder, input: "feed")]],
      topics: [[many]] + readers.map { _ in [] }, router: AlertRouter(routes: [], channels: []))
    var warmUp = WarmUp(wiring, sourceNames: ["feed"])
    let history = History(
      (0..<30).map {
        RecordedHistory(
          time: Timestamp(milliseconds: $0), script: "flooder", input: "feed", message: Array("1".utf8))
      })
    _ = warmUp.run(history, at: Timestamp(milliseconds: 1_000), log: { _, _, _ in }, told: { _ in })
    let failures = flooder.takeFailures()
    #expect(failures.count == ScriptRunner.historyQuarantineLimit)
    #expect(failures.allSatisfy { $0.reason.hasPrefix("emit: more than 10000 messages") })
    #expect(readers[0].rows == ["": #"{"count":27270}"#])
  }
}
