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

  @Test(
    "actions, events and declared timers are run twice, too",
    arguments: [
      (
        "M.actions.later", "effect.after(\"1s\", \"later\")",
        #"t.receive("price", {}) t.nothing() t.advance("1s") t.state { seen = 1 }"#
      ),
      ("M.events.connection", "", #"t.disconnect("price") t.state { seen = 3 }"#),
      ("M.events.gap", "", #"t.gap("price") t.state { seen = 1 }"#),
      ("M.actions.tick", "", #"t.advance("1m") t.state { seen = 1 }"#),
    ])
  func others(handler: String, message: String, test: String) async throws {
    let timers = handler == "M.actions.tick" ? "M.timers = { tick = every(\"1m\") }" : ""
    func script(_ count: String) -> String {
      """
      local count = 0
      local M = { state = { seen = 0, count = 0 }, on = {}, actions = {}, events = {} }
      function M.on.price(state) \(message) end
      function \(handler)(state) \(count) end
      \(timers)
      return M
      """
    }
    let hidden = script("count = count + 1 state.seen = count")
    let (report, text) = try await TestFolder().run(TestFolder.test(test), script: hidden)
    #expect(report.exitStatus == 1)
    #expect(
      text.contains("\(handler) was run twice from the same state and did something else (state.seen: "),
      "\(text)")
    #expect(text.contains("'count' outside of M.state keeps what earlier runs did"), "\(text)")
    let open = script("state.count = state.count + 1 state.seen = state.count")
    let claim = test.replacing("seen = 1", with: "seen = 1, count = 1")
      .replacing("seen = 3", with: "seen = 3, count = 3")
    let (good, goodText) = try await TestFolder().run(TestFolder.test(claim), script: open)
    #expect(good.exitStatus == 0, "\(goodText)")
  }

  @Test("a request and a timer that an action asks for twice go out once")
  func effects() async throws {
    let script = """
      local M = { state = { n = 0 }, on = {}, actions = {} }
      function M.on.price(state) effect.after("1s", "ask") end
      function M.actions.ask(state)
        effect.http { url = "https://example.org/", reply = "got" }
        effect.after("1s", "ask")
      end
      function M.actions.got(state) state.n = state.n + 1 end
      return M
      """
    let (report, text) = try await TestFolder().run(
      TestFolder.test(
        """
        t.receive("price", {})  t.nothing()
        t.advance("1s")         t.effect { http = "https://example.org/" }
        t.reply { status = 200 }  t.state { n = 1 }
        t.advance("1s")         t.effect { http = "https://example.org/" }
        """), script: script)
    #expect(report.exitStatus == 0, "\(text)")
  }
}
