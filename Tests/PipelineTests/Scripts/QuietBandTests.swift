import Scripting
import Testing

@testable import Pipeline

/// Values that a machine notes by itself come to what the host comes to that judges each.
@Suite("Quiet bands")
struct QuietBandTests {
  private static let script = """
    local M = { on = {}, key = "key", state = { n = 0 } }
    local rules = {
      alert.rule { name = "crosses above", crosses_above = 50, clear_below = 40 },
      alert.rule { name = "crosses", crosses = 50 },
      alert.rule { name = "above", above = 50, for_duration = "3s", cooldown = "10s" },
      alert.rule { name = "below", below = 50, repeat_every = "20s" },
      alert.rule { name = "inside", inside = { 40, 60 } },
      alert.rule { name = "outside", outside = { 20, 80 }, flapping = { changes = 3, within = "10s" } },
      alert.rule { name = "late", crosses_below = 50, accept_late = true },
      alert.rule { name = "changes", changes_by = { percent = 50, within = "5s" } },
      alert.rule { name = "silence", no_data_for = "15s" },
      alert.rule { name = "odd", when = function(value) return value % 2 == 1 end },
    }
    function M.on.feed(state, message)
      for _, value in ipairs(message.values) do
        for _, rule in ipairs(rules) do rule:check(value) end
      end
      if message.fails then error("on purpose") end
      state.n = state.n + 1
    end
    return M
    """

  /// Has nothing to do: where somebody looks on, each value is judged.
  private final class Onlooker: RuleObserver {
    func checked(rule: Int, key: UInt32, value: Double, at time: Timestamp, run: UInt32) {}
    func undone(run: UInt32) {}
  }

  @Test("Noted values come to the same as judged ones", arguments: UInt64(1)...12)
  func sameAsJudged(seed: UInt64) throws {
    let runners = try (0..<2).map { _ in
      try ScriptRunner(name: "s", file: ScriptFile(name: "s.lua", source: Self.script))
    }
    let onlooker = Onlooker()
    runners[1].observeRules(onlooker)
    var random = SeededRandom(seed: seed)
    var time: Int64 = 1_000_000
    var value: Int64 = 50
    for step in 0..<400 {
      time += Int64.random(in: 0...1_500, using: &random)
      let batch = MessageBatch()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let values = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          value = max(0, min(100, value + Int64.random(in: -9...9, using: &random)))
          return Bool.random(using: &random) ? "\(value)" : "\(value).5"
        }
        let fails = Int.random(in: 0..<4, using: &random) == 0
        let isEarlier = Int.random(in: 0..<10, using: &random) == 0
        let key = ["a", "b", "c"].randomElement(using: &random) ?? ""
        batch.append(
          "{\"key\":\"\(key)\",\"values\":[\(values.joined(separator: ","))]\(fails ? ",\"fails\":true" : "")}",
          time: isEarlier ? time - 2_000 : time, received: time,
          replayed: Int.random(in: 0..<20, using: &random) == 0)
        time += 1
      }
      #expect(batch.decode() == 0)
      let source = UInt16.random(in: 0..<8, using: &random) == 0 ? UInt16(1) : 0
      let event = Int.random(in: 0..<30, using: &random)
      let outcomes = runners.map { runner in
        let now = Timestamp(milliseconds: time)
        switch event {
        case 0: runner.gap(SourceGap(reason: "sequence"), source: 0, name: "feed", at: now)
        case 1: runner.source(0, is: .down, at: now)
        case 2: runner.source(0, is: .live, at: now)
        default: break
        }
        runner.handle(batch, in: 0..<batch.count, input: "feed", source: "feed", number: source)
        var commit = Commit()
        // What a commit took is marked anew by the next value.
        if event < 10 { runner.collect(into: &commit) }
        return Outcome(
          requests: runner.takeRequests(), rows: commit.rules.bytes, places: commit.rules.ends,
          due: runner.nextDue)
      }
      #expect(outcomes[0] == outcomes[1], "step \(step)")
    }
  }

  @Test("Values that put off what is due take no room")
  func putOff() throws {
    let script = """
      local M = { on = {}, state = { n = 0 } }
      local rule = alert.rule { name = "silence", no_data_for = "10m" }
      function M.on.feed(state, message) rule:check(message.n) end
      return M
      """
    let runner = try ScriptRunner(name: "s", file: ScriptFile(name: "s.lua", source: script))
    for second in 0..<1_000 {
      let batch = MessageBatch()
      batch.append("{\"n\":1}", time: Int64(second) * 1_000)
      #expect(batch.decode() == 0)
      runner.handle(batch, in: 0..<1, input: "feed", source: "feed", number: 0)
    }
    #expect(runner.session.dueRules.inOrder.count == 1)
    runner.advance(to: Timestamp(milliseconds: 999_000 + 599_999))
    #expect(runner.takeRequests().isEmpty)
    runner.advance(to: Timestamp(milliseconds: 999_000 + 600_000))
    #expect(runner.takeRequests().count == 1)
  }

  private struct Outcome: Hashable {
    var requests: [ScriptRequest]
    var rows: [UInt8]
    var places: [Int]
    var due: Timestamp?
  }
}
