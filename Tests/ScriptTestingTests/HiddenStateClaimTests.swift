import ScriptTesting
import Testing

@Suite("State that a script hides from its tests")
struct HiddenStateClaimTests {
  @Test("a handler that counts in a local of the file fails its test, with the local's name")
  func hidden() async throws {
    let script = """
      local count = 0
      local M = { state = { seen = 0 }, on = {} }
      function M.on.price(state) count = count + 1 state.seen = count end
      return M
      """
    let test = #"t.receive("price", { bitcoin = "1" })  t.state { seen = 1 }"#
    let (report, text) = try await TestFolder().run(TestFolder.test(test), script: script)
    #expect(report.exitStatus == 1)
    #expect(
      text.contains(
        "alert.lua: M.on.price was run twice from the same state and did something else "
          + "(state.seen: 1, then 2); 'count' outside of M.state keeps what earlier runs did: declare it in M.state"
      ),
      "\(text)")
  }
}
