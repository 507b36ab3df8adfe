import Pipeline
import Testing

@testable import ScriptTesting

@Suite("Tests of what a source's options do")
struct FeedOptionTests {
  private static let script = """
    local M = { key = "s", on = {}, events = {} }
    M.state = { p = 0.0, late = false, sequence = json.null, replayed = false, gaps = 0, kind = "", time = 0, epoch = 0 }
    local over = alert.rule { name = "over", crosses_above = 100 }
    function M.on.feed(state, message, ctx)
      state.p, state.late, state.replayed, state.time = message.p, ctx.late, ctx.replayed, ctx.time
      state.epoch = ctx.epoch
      if ctx.sequence then state.sequence = ctx.sequence end
      over:check(message.p)
      if message.p == 7 then effect.subscribe("feed", "trades", message.s) end
    end
    function M.events.gap(state, event)
      state.gaps, state.kind = state.gaps + 1, event.reason
    end
    return M
    """

  private func run(_ options: String, _ body: String) async throws -> (TestReport, text: String) {
    let folder = try TestFolder()
    try folder.write(
      "config.lua",
      """
      return {
        sources = { feed = source.websocket { url = "ws://127.0.0.1:1", \(options) } },
        scripts = { alert = { file = "alert.lua", from = { "feed" } } },
      }
      """)
    return try await folder.run(
      "local t = test.config('config.lua')\nit('works', function()\n\(body)\nend)\n", script: Self.script)
  }

  @Test func `numbers that are missing are told under the key of the message that shows it, before it`()
    async throws
  {
    let (report, text) = try await run(
      "sequence = { first = 'U', last = 'u', key = 's' }, numbers = { 'p' }",
      """
      t.receive("feed", { s = "A", U = 1, u = 5, p = "99" })
      t.state("A", { p = 99.0, sequence = 5, time = 1767225600000, epoch = 1 })
      t.receive("feed", { s = "B", U = 100, u = 100, p = "1" })
      t.state("B", { p = 1.0, sequence = 100, time = 1767225600000, epoch = 1 })
      t.receive("feed", { s = "A", U = 8, u = 9, p = "101" })
      t.state("A", { p = 101.0, sequence = 9, gaps = 1, kind = "sequence" })
      t.alert { rule = "over", key = "A" }
      t.receive("feed", { s = "A", U = 6, u = 9, p = "50" })
      t.state("A", { gaps = 2, kind = "duplicate" })
      t.disconnect("feed")
      t.reconnect("feed")
      t.receive("feed", { s = "A", U = 10, u = 10, p = "102" })
      t.state("A", { p = 102.0, sequence = 10, epoch = 2 })
      """)
    #expect(report.exitStatus == 0, "\(text)")
  }

  @Test func `numbers of the source as a whole are told to every key`() async throws {
    let (report, text) = try await run(
      "sequence = { last = 'n' }",
      """
      t.receive("feed", { s = "A", n = 1, p = 1.0 })   t.state("A", { p = 1.0, sequence = 1, epoch = 1, time = 1767225600000 })
      t.receive("feed", { s = "B", n = 2, p = 2.0 })   t.state("B", { p = 2.0, sequence = 2, epoch = 1, time = 1767225600000 })
      t.receive("feed", { s = "B", n = 4, p = 4.0 })   t.state("B", { p = 4.0, sequence = 4, gaps = 1, kind = "sequence" })
      t.state("A", { gaps = 1, kind = "sequence" })
      """)
    #expect(report.exitStatus == 0, "\(text)")
  }

  @Test
  func `numbers that begin anew are told before the message that shows it, and fire nothing by themselves`()
    async throws
  {
    let (report, text) = try await run(
      "sequence = { last = 'n', key = 's' }",
      """
      t.receive("feed", { s = "A", n = 1000, p = 99.0 })
      t.state("A", { p = 99.0, sequence = 1000, epoch = 1, time = 1767225600000 })
      t.receive("feed", { s = "A", n = 1, p = 98.0 })
      t.state("A", { p = 98.0, sequence = 1, gaps = 1, kind = "reset" })
      t.receive("feed", { s = "A", n = 2, p = 101.0 })
      t.state("A", { p = 101.0, sequence = 2 })
      t.alert { rule = "over", key = "A" }
      """)
    #expect(report.exitStatus == 0, "\(text)")
  }

  @Test func `what is older than the last of its key is late, and no news to rules; timers go by the clock`()
    async throws
  {
    let (report, text) = try await run(
      "time = { field = 'E' }",
      """
      t.receive("feed", { s = "A", E = 1767225500000, p = 99 })
      t.state("A", { p = 99, time = 1767225500000, epoch = 1 })
      t.receive("feed", { s = "A", E = 1767225400000, p = 101 })
      t.state("A", { p = 101, time = 1767225400000, late = true })
      t.receive("feed", { s = "B", E = 1767225400000, p = 1 })
      t.state("B", { p = 1, time = 1767225400000, epoch = 1 })
      t.receive("feed", { s = "A", E = 1767225500000, p = 102 })
      t.state("A", { p = 102, time = 1767225500000, late = false })
      t.alert { rule = "over", key = "A" }
      """)
    #expect(report.exitStatus == 0, "\(text)")
  }

  @Test func `one message becomes many, and those that were there before are skipped or marked`() async throws
  {
    let (report, text) = try await run(
      "split = 'items', split_field = 'data', id = 't'",
      """
      t.receive("feed", { data = { { s = "A", t = 1, p = 1 }, { s = "B", t = 2, p = 2 }, { s = "A", t = 1, p = 3 } } })
      t.state("A", { p = 1, epoch = 1, time = 1767225600000 })
      t.state("B", { p = 2, epoch = 1, time = 1767225600000 })
      t.receive("feed", { s = "A", t = 2, p = 9 })
      t.nothing()
      """)
    #expect(report.exitStatus == 0, "\(text)")
  }

  @Test func `subscribing is an effect to claim, and only what the configuration knows can be named`()
    async throws
  {
    let options = "subscriptions = { trades = { send = { '{item}' } } }"
    let (report, text) = try await run(
      options,
      """
      t.receive("feed", { s = "A", p = 7 })
      t.state("A", { p = 7, epoch = 1, time = 1767225600000 })
      t.effect { subscribe = "feed", subscription = "trades", items = { "A" } }
      """)
    #expect(report.exitStatus == 0, "\(text)")
    let (_, unclaimed) = try await run(
      options,
      "t.receive('feed', { s = 'A', p = 7 })\nt.state('A', { p = 7, epoch = 1, time = 1767225600000 })")
    #expect(unclaimed.contains(#"effect.subscribe("feed", "trades", { "A" })"#), "\(unclaimed)")
    #expect(unclaimed.contains(#"t.effect { subscribe = "feed", "#), "\(unclaimed)")
    let (_, unknown) = try await run(
      "subscriptions = { ticker = { send = { '{item}' } } }",
      "t.receive('feed', { s = 'A', p = 7 })\nt.nothing()")
    #expect(unknown.contains("the source 'feed' has no subscription 'trades'"), "\(unknown)")
  }

  @Test func `a script alone can be told of gaps, of late messages and of numbers`() async throws {
    let test = """
      local t = test.script("alert.lua")
      it("works", function()
        t.receive("feed", { s = "A", p = 1 }, { late = true, replayed = true, sequence = 5 })
        t.state("A", { p = 1, late = true, replayed = true, sequence = 5, epoch = 1, time = 1767225600000 })
        t.gap("feed", { key = "A", reason = "reset" })
        t.state("A", { gaps = 1, kind = "reset" })
        t.gap("feed")
        t.state("A", { gaps = 2, kind = "sequence" })
      end)
      """
    let (report, text) = try await TestFolder().run(test, script: Self.script)
    #expect(report.exitStatus == 0, "\(text)")
  }
}
