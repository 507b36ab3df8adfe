import Testing

@Suite("A bad day of a handler")
struct HandlerBadDayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a handler that does something bad with the messages that say so.
  private func run(_ bad: String, _ lines: String) throws -> CommandRun {
    try folder.write("feed.ndjson", lines)
    let config = try folder.writeLive(
      feed: "source.file { path = 'feed.ndjson' }",
      script: """
        local M = {}
        M.state = { count = 0 }
        M.on = {}
        function M.on.feed(state, message)
          state.count = state.count + 1
          if message.bad then \(bad) end
          alert.send { name = "seen", text = "count " .. state.count .. "." }
        end
        return M
        """)
    return try CommandRun(["run", config], in: folder)
  }

  @Test(
    "one that fails is told of with its line, leaves no trace in the state, and the next message is handled",
    arguments: [
      ("error('no luck')", "no luck"), ("local x = message.none.more", "attempt to index"),
      ("while true do end", "steps"), ("pcall(function() while true do end end)", "steps"),
      ("local t = {} for i = 1, math.huge do t[i] = ('x'):rep(1000) .. i end", "memory"),
      ("local s = 'x' while true do s = s .. s end", "memory"),
      ("local function f() return 1 + f() end f()", "memory"),
    ])
  func failure(bad: String, words: String) throws {
    let end = try run(bad, "{}\n{\"bad\":true}\n{}\n")
    #expect(end.status == 0)
    #expect(try AlertLine.all(end.output).map(\.text) == ["count 1.", "count 2."])
    let line = end.errors.split(separator: "\n").first { $0.contains("watch.lua:6") } ?? ""
    #expect(line.contains(words), "\(end.errors)")
  }

  @Test("one that runs into its limits again and again is left alone, and an alert of the host says so")
  func suspension() throws {
    let end = try run("while true do end", String(repeating: "{\"bad\":true}\n", count: 4) + "{}\n")
    #expect(end.status == 0)
    let alerts = try AlertLine.all(end.output)
    #expect(alerts.map(\.name) == ["script suspended"])
    #expect(alerts.first?.text.contains("script 'watch' ran into its limits 3 times in a row") == true)
  }
}
