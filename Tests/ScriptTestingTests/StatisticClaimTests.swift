import ScriptTesting
import Testing

@Suite("Claims about statistics")
struct StatisticClaimTests {
  private static let script = """
    local M = { state = { mean = stats.sma { count = 2 }, low = stats.min { over = "1m" } }, on = {} }
    function M.on.price(state, message)
      stats.add(state.mean, num(message.bitcoin))
      stats.add(state.low, num(message.bitcoin))
    end
    return M
    """

  @Test("a statistic is claimed by its value, and one that warms up has none to claim")
  func byValue() async throws {
    let test = """
      t.receive("price", { bitcoin = "10" })  t.state {}
      t.receive("price", { bitcoin = "20" })  t.state { mean = 15.0 }
      t.restart()
      t.advance("1m")
      t.receive("price", { bitcoin = "30" })  t.state { mean = 25.0, low = 30.0 }
      t.receive("price", { bitcoin = "40" })  t.state { mean = 35.0, low = 30.0 }
      """
    let (report, text) = try await TestFolder().run(TestFolder.test(test), script: Self.script)
    #expect(report.exitStatus == 0, "\(text)")
  }

  @Test("a changed value that nobody claimed fails the test, shown as the value")
  func unclaimed() async throws {
    let test = """
      t.receive("price", { bitcoin = "10" })  t.state {}
      t.receive("price", { bitcoin = "20" })  t.nothing()
      """
    let (report, text) = try await TestFolder().run(TestFolder.test(test), script: Self.script)
    #expect(report.exitStatus == 1)
    #expect(text.contains("state changed: mean: json.null → 15.0"), "\(text)")
  }
}
