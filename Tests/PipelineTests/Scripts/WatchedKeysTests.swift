import Scripting
import Testing

@testable import Pipeline

/// Keys that rules about missing data watch from the start, in a script with two sources.
@Suite struct WatchedKeysTests {
  private let runner: ScriptRunner

  init() throws {
    runner = try ScriptRunner(
      name: "s",
      file: ScriptFile(
        name: "s.lua",
        source: """
          local M = { on = {}, key = "key", state = {} }
          local rule = alert.rule { name = "rule", no_data_for = "10m", keys = { "a" } }
          function M.on.feed(state, message) rule:check(message.n) end
          return M
          """))
    runner.begin(at: Self.minute(0), sources: [3, 5])
  }

  private static func minute(_ count: Int64) -> Timestamp { Timestamp(milliseconds: count * 60_000) }

  /// Lets time pass, and counts the alerts.
  private func told(by minute: Int64) -> Int {
    runner.advance(to: Self.minute(minute))
    return runner.takeRequests().count
  }

  @Test func `a key that no source has named waits for all of them`() {
    #expect(told(by: 30) == 0)
    runner.source(5, is: .live, at: Self.minute(30))
    #expect(told(by: 60) == 0)
    runner.source(3, is: .live, at: Self.minute(60))
    #expect(told(by: 69) == 0)
    runner.source(3, is: .down, at: Self.minute(69))
    #expect(told(by: 99) == 0)
    runner.source(3, is: .live, at: Self.minute(99))
    #expect(told(by: 100) == 1)
  }

  @Test func `a key belongs to the source of its last value`() {
    for source: UInt16 in [3, 5] { runner.source(source, is: .live, at: Self.minute(0)) }
    let batch = MessageBatch()
    batch.append(#"{"key":"a","n":1}"#, time: Self.minute(5).milliseconds)
    _ = batch.decode()
    runner.handle(batch, in: 0..<1, input: "feed", source: "five", number: 5)
    runner.source(3, is: .down, at: Self.minute(6))
    #expect(told(by: 14) == 0)
    #expect(told(by: 15) == 1)
  }
}
