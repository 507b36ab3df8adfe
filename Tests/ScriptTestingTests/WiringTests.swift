import ScriptTesting
import Testing

@Suite("A whole configuration under test")
struct WiringTests {
  @Test("alerts take their routes, and a channel that fails hands them to its fallback as it would live")
  func fallback() async throws {
    let folder = try TestFolder()
    try folder.write("alert.lua", TestFolder.priceAlert)
    try folder.write(
      "config.lua",
      """
      return {
        sources = { btc = source.simulated {} },
        scripts = { alert = { file = "alert.lua", from = { price = "btc" } } },
        channels = {
          screen = channel.console {},
          phone = channel.webhook {
            url = "https://example.org/", fallback = "screen", retry = { first = "1s", attempts = 2 },
          },
        },
        routes = { { min_severity = "warning", to = { "phone" } }, { to = { "screen" } } },
      }
      """)
    try folder.write(
      "config_test.lua",
      """
      local t = test.config("config.lua")
      local function rise()
        t.receive("btc", { bitcoin = 1 })      t.state { price = 1.0, high = 1.0 }
        t.receive("btc", { bitcoin = 70010 })  t.state { price = 70010.0, high = 70010.0 }
      end

      it("goes to the phone", function()
        rise()
        t.alert { rule = "over level", to = "phone" }
      end)

      it("goes to the screen when the phone has failed twice", function()
        t.fail("phone", "out of credit")
        rise()
        t.alert { rule = "over level", to = {} }
        t.advance("2s")  t.delivered { rule = "over level", channel = "screen" }
      end)
      """)
    let (report, text) = try await folder.run()
    #expect(report.exitStatus == 0, "\(text)")
    #expect(report.passedCount == 2)
  }
}
