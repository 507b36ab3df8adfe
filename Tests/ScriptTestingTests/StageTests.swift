import ScriptTesting
import Testing

@Suite("Scripts that feed scripts, in a test of the whole configuration")
struct StageTests {
  @Test("after a restart a rule of the second stage still rests while the source of the first one is down")
  func restart() async throws {
    let folder = try TestFolder()
    try folder.write(
      "maker.lua", "local M = { on = {} } function M.on.tick(state, m) emit(\"bars\", m) end return M")
    try folder.write(
      "watch.lua",
      """
      local M = { on = {} }
      local silent = alert.rule { name = "silent", no_data_for = "10m" }
      function M.on.bar(state, m) silent:check(m.v) end
      return M
      """)
    try folder.write(
      "config.lua",
      """
      return {
        sources = { other = source.simulated {}, ticks = source.simulated {} },
        scripts = {
          maker = { file = "maker.lua", from = { tick = "ticks" } },
          watch = { file = "watch.lua", from = { bar = "maker.bars" } },
        },
      }
      """)
    try folder.write(
      "stages_test.lua",
      """
      it("rests", function()
        local t = test.config("config.lua")
        t.receive("ticks", { v = 1 })  t.emitted("bars", { v = 1 })
        t.restart()                    t.nothing()
        t.disconnect("ticks")          t.nothing()
        t.advance("1h")                t.nothing()
        t.reconnect("ticks")           t.nothing()
        t.advance("10m")               t.alert { rule = "silent" }
      end)
      """)
    let (report, text) = try await folder.run()
    #expect(report.exitStatus == 0, "\(text)")
    #expect(report.passedCount == 1)
  }
}
