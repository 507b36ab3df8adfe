import ScriptTesting
import Testing

@Suite("Timers of a script")
struct TimerTests {
  /// Runs a test of a script that notes when its actions run.
  private func passes(
    _ body: String, script: String, options: String = "{}", location: SourceLocation = #_sourceLocation
  ) async throws {
    let (report, text) = try await TestFolder().run(TestFolder.test(body, options: options), script: script)
    #expect(report.exitStatus == 0, "\(text)", sourceLocation: location)
    #expect(report.passedCount == 1, sourceLocation: location)
  }

  private static func script(timers: String = "", tick: String = "") -> String {
    """
    local M = { on = {}, actions = {} }
    M.timers = { \(timers) }
    function M.on.tick(state, message, ctx) \(tick) end
    function M.actions.note(state, payload, ctx)
      log.info(time.format(ctx.time, "%d %H:%M:%S", "Europe/Berlin"), payload)
    end
    return M
    """
  }

  @Test("daily runs at the clock of its zone, also on the day on which summer time begins")
  func daily() async throws {
    try await passes(
      """
        t.advance("20h")  t.log("28 08:00:00")
        t.advance("24h")  t.log("29 08:00:00")
        t.advance("1d")   t.log("30 08:00:00")
      """, script: Self.script(timers: #"note = daily("08:00", "Europe/Berlin")"#),
      options: #"{ now = "2026-03-28T06:00:00Z" }"#)
  }

  @Test("every runs at even distances from the start, or at full ones")
  func every() async throws {
    try await passes(
      """
        t.advance("150s")  t.log("28 07:01:17")  t.log("28 07:02:17")
      """, script: Self.script(timers: #"note = every("1m")"#), options: #"{ now = "2026-03-28T06:00:17Z" }"#)
    try await passes(
      """
        t.advance("150s")  t.log("28 07:01:00")  t.log("28 07:02:00")
      """, script: Self.script(timers: #"note = every("1m", { align = true })"#),
      options: #"{ now = "2026-03-28T06:00:17Z" }"#)
  }

  @Test("after a restart a recurring timer goes on where it was")
  func restart() async throws {
    try await passes(
      """
        t.advance("30s")  t.nothing()
        t.restart()       t.nothing()
        t.advance("29s")  t.nothing()
        t.advance("1s")   t.log("28 07:01:00")
      """, script: Self.script(timers: #"note = every("1m")"#), options: #"{ now = "2026-03-28T06:00:00Z" }"#)
  }

  @Test("throttle runs at once, then once a span with the latest payload")
  func throttle() async throws {
    try await passes(
      """
        t.receive("tick", { n = 1 })  t.log("07:00:00 1")
        t.receive("tick", { n = 2 })  t.nothing()
        t.advance("4s")               t.nothing()
        t.receive("tick", { n = 3 })  t.nothing()
        t.advance("6s")               t.log("07:00:10 3")
        t.receive("tick", { n = 4 })  t.nothing()
        t.advance("10s")              t.log("07:00:20 4")
        t.advance("30s")              t.nothing()
        t.receive("tick", { n = 5 })  t.log("07:00:50 5")
      """, script: Self.script(tick: #"effect.throttle("10s", "note", message.n)"#),
      options: #"{ now = "2026-03-28T06:00:00Z" }"#)
  }

  @Test("a throttled span goes on over a restart, and what waits for its end still comes")
  func throttleRestart() async throws {
    try await passes(
      """
        t.receive("tick", { n = 1 })  t.log("07:00:00 1")
        t.receive("tick", { n = 2 })  t.nothing()
        t.restart()                   t.nothing()
        t.receive("tick", { n = 3 })  t.nothing()
        t.advance("10s")              t.log("07:00:10 3")
        t.receive("tick", { n = 4 })  t.nothing()
      """, script: Self.script(tick: #"effect.throttle("10s", "note", message.n)"#),
      options: #"{ now = "2026-03-28T06:00:00Z" }"#)
  }

  @Test("a handler that fails after it asked for a throttled action has asked for nothing")
  func throttleUndo() async throws {
    try await passes(
      """
        t.receive("tick", { n = 1, fail = true })  t.error("no")
        t.receive("tick", { n = 2 })               t.log("07:00:00 2")
      """,
      script: Self.script(
        tick: #"effect.throttle("10s", "note", message.n) if message.fail then error("no") end"#),
      options: #"{ now = "2026-03-28T06:00:00Z" }"#)
  }

  @Test("debounce waits for quiet, and the latest payload counts")
  func debounce() async throws {
    try await passes(
      """
        t.receive("tick", { n = 1 })  t.nothing()
        t.advance("1s")               t.nothing()
        t.receive("tick", { n = 2 })  t.nothing()
        t.advance("1999ms")           t.nothing()
        t.advance("1ms")              t.log("07:00:03 2")
        t.advance("1h")               t.nothing()
      """, script: Self.script(tick: #"effect.debounce("2s", "note", message.n)"#),
      options: #"{ now = "2026-03-28T06:00:00Z" }"#)
  }

  @Test("an action can be set to a time, one that has passed runs at once, and one that puts itself off ends")
  func at() async throws {
    try await passes(
      """
        t.receive("tick", { at = "2026-03-28 09:00" })  t.nothing()
        t.advance("3h")                                 t.log("28 09:00:00")
        t.receive("tick", { at = "2020-01-01 00:00" })  t.nothing()
        t.advance("1ms")                                t.log("28 10:00:00")
      """,
      script: Self.script(
        tick: #"effect.at(time.parse(message.at, "Europe/Berlin"), "note", { at = message.at })"#),
      options: #"{ now = "2026-03-28T06:00:00Z" }"#)
    try await passes(
      """
        t.receive("tick", {})
        t.advance("3ms")  t.log("1")  t.log("2")  t.log("3")
      """,
      script: """
        local M = { on = {}, actions = {} }
        function M.on.tick() effect.at(time.now(), "again", 1) end
        function M.actions.again(state, count)
          log.info(count)
          effect.at(time.now(), "again", count + 1)
        end
        return M
        """)
  }

  @Test("a time is taken apart in a zone")
  func parts() async throws {
    try await passes(
      """
        t.receive("tick", {})  t.log("2026-3-29 3:30:00 7 88 7200")
      """,
      script: Self.script(
        tick: """
          local p = time.parts(time.parse("2026-03-29T01:30:00Z"), "Europe/Berlin")
          log.info(("%d-%d-%d %d:%02d:%02d %d %d %d"):format(p.year, p.month, p.day, p.hour, p.minute, p.second,
            p.weekday, p.year_day, p.offset))
          """))
  }

  @Test(
    "what is wrong with a timer is said where it is declared or asked for",
    arguments: [
      (#"note = daily("8:00")"#, #"expected a time of day such as "08:00", got "8:00""#),
      (#"note = daily("08:00", "Berlin")"#, #"there is no time zone "Berlin""#),
      (#"note = every("0s")"#, "expected a duration longer than nothing"),
      (#"note = every("1m", { aligned = true })"#, "unknown option 'aligned'; there is align"),
      (#"noet = every("1m")"#, "there is no M.actions.noet to run; did you mean 'note'?"),
      (#"note = "1m""#, "M.timers.note: expected daily"),
    ])
  func faults(timers: String, expected: String) async throws {
    let (report, text) = try await TestFolder().run(
      TestFolder.test("t.nothing()"), script: Self.script(timers: timers))
    #expect(report.exitStatus == 1)
    #expect(text.contains(expected), "\(text)")
  }
}
