import ScriptTesting
import Testing

@Suite("What the text of an alert gets that falls due without a message")
struct RuleDataTests {
  private func passes(
    _ options: String, _ body: String, location: SourceLocation = #_sourceLocation
  ) async throws {
    let script = """
      local M = { on = {}, key = "s", state = { n = 0 } }
      local rule = alert.rule {
        name = "rule", \(options),
        text = function(value, data) return value .. " " .. (data and data.note or "none") end,
      }
      function M.on.price(state, message)
        state.n = state.n + 1
        rule:check(message.p, message.note and { note = message.note })
        if message.fails then error("fails") end
      end
      return M
      """
    let receive = """
      local function receive(p, note, fails)
        t.receive("price", { s = "a", p = p, note = note, fails = fails })
        if not fails then n = n + 1  t.state("a", { n = n }) end
      end
      """
    let folder = try TestFolder()
    try folder.write("other.lua", script + "\n-- another form")
    let (report, text) = try await folder.run(
      TestFolder.test("local n = 0\n\(receive)\n\(body)"), script: script)
    #expect(report.exitStatus == 0, "\(text)", sourceLocation: location)
  }

  @Test("a duration that is over gets the data of the last check, also behind a restart")
  func duration() async throws {
    let begin = "receive(10, 'one')  t.advance('30s')  t.nothing()  receive(11, 'two')"
    try await passes(
      "above = 10, for_duration = '1m'",
      "\(begin)  t.advance('31s')  t.alert { text = '11.0 two', key = 'a' }")
    try await passes(
      "no_data_for = '1m'",
      "receive(10, 'one')  t.restart()  t.nothing()  t.advance('1m')  t.alert { text = '10.0 one' }")
    try await passes(
      "above = 10, for_duration = '1m'",
      "\(begin)  receive(12)  t.advance('31s')\nt.alert { text = '12.0 none' }")
  }

  @Test("the data of a handler that failed is forgotten")
  func undo() async throws {
    try await passes(
      "above = 10, for_duration = '1m'",
      "receive(10, 'one')  receive(11, 'two', true)  t.error('fails')  t.advance('1m')  t.alert { text = '10.0 one' }"
    )
  }

  @Test("the end of a cooldown, missing data and reminders get it as well")
  func others() async throws {
    try await passes(
      "above = 10, cooldown = '1m'",
      """
      receive(10, 'one')  t.alert { text = '10.0 one' }
      receive(1, 'two')  t.resolved { text = 'resolved: 1.0 two' }
      receive(12, 'three')  t.advance('1m')  t.alert { text = '12.0 three', value = 12 }
      """)
    try await passes(
      "no_data_for = '1m'", "receive(10, 'one')  t.advance('1m')  t.alert { text = '10.0 one' }")
    try await passes(
      "above = 10, repeat_every = '1m'",
      "receive(10, 'one')  t.alert { text = '10.0 one' }  t.advance('1m')  t.alert { text = 'still: 10.0 one' }"
    )
  }

  @Test("data that is too large to wait is left out")
  func large() async throws {
    try await passes(
      "above = 10, for_duration = '1m'",
      "receive(10, ('x'):rep(4096))  t.advance('1m')  t.alert { text = '10.0 none' }")
  }

  @Test("a reload keeps it")
  func reload() async throws {
    try await passes(
      "above = 10, for_duration = '1m'",
      "receive(10, 'one')  t.reload { file = 'other.lua' }  t.advance('1m')  t.alert { text = '10.0 one' }")
  }
}
