import Scripting
import Testing

@testable import Pipeline

@Suite("Messages that gave way")
struct OverflowGapTests {
  private static let script = """
    local over = alert.rule { name = "over", crosses_above = 10 }
    local M = { on = {}, events = {}, state = { gaps = 0 } }
    function M.on.feed(state, message) over:check(message.n) end
    function M.events.gap(state, gap)
      state.gaps = state.gaps + gap.missed
      log.info(gap.reason, state.gaps)
    end
    return M
    """

  @Test("the script is told, and the log isn't, as it tells of the whole episode")
  func told() async throws {
    let trial = try await EngineTrial(script: Self.script)
    await trial.read([#"{"n":1}"#], from: 1_000)
    await trial.send(.gap(SourceGap(missed: 3, reason: SourceGap.overflow), source: 0))
    #expect(await trial.logs.suffix(1) == ["overflow 3"])
    await trial.send(.gap(SourceGap(missed: 3, reason: "sequence"), source: 0))
    #expect(await trial.logs.contains("3 messages may be missing: sequence"))
    #expect(await trial.logs.contains { $0.contains("missing: overflow") } == false)
  }

  @Test("a rule neither fires nor resolves by what it didn't see")
  func rules() async throws {
    let trial = try await EngineTrial(script: Self.script)
    let gap = EngineAction.gap(SourceGap(missed: 3, reason: SourceGap.overflow), source: 0)
    await trial.read([#"{"n":9}"#], from: 1_000)
    await trial.send(gap)
    #expect(await trial.alerts.isEmpty)
    await trial.read([#"{"n":11}"#], from: 2_000)
    await trial.send(gap)
    #expect(await trial.alerts.map(\.kind) == [.firing])
    await trial.read([#"{"n":12}"#], from: 3_000)
    #expect(await trial.alerts.map(\.kind) == [.firing])
    await trial.read([#"{"n":8}"#], from: 4_000)
    #expect(await trial.alerts.map(\.kind) == [.firing, .resolved])
  }
}
