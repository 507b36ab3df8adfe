import Testing

@Suite("A bad day of a live run")
struct BadDayTests {
  private static let script = """
    local M = {} M.state = { n = 0 } M.on = {}
    function M.on.feed(state)
      state.n = state.n + 1
      alert.send { name = "seen", text = "message " .. state.n }
    end
    return M
    """

  private func folder(source: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("watch.lua", Self.script)
    try folder.write(
      "config.lua",
      "return { sources = { feed = \(source) }, scripts = { watch = { file = 'watch.lua', from = { 'feed' } } }, "
        + "channels = { screen = channel.console {} } }")
    return folder
  }

  @Test("a reader who goes away ends it cleanly", .timeLimit(.minutes(1)))
  func closedOutput() throws {
    let folder = try folder(source: "source.simulated { rate = 50 }")
    let run = try CommandRun(["run", folder.path("config.lua")], in: folder, closingOutput: true)
    #expect(run.status == 0)
    #expect(run.errors.contains("standard output was closed"), "\(run.errors)")
  }

  @Test("a source that refuses is told of, tried again, and left at the end of the time given")
  func refusedConnection() throws {
    let folder = try folder(
      source: "source.websocket { url = 'ws://127.0.0.1:1/', reconnect = { first = '10ms' } }")
    let run = try CommandRun(["run", folder.path("config.lua"), "--for", "500ms"], in: folder)
    #expect(run.status == 0)
    #expect(run.errors.contains("127.0.0.1:1"), "\(run.errors)")
  }

  @Test("a file with a line that is no JSON is read to its end, and the line is told of")
  func invalidJSON() throws {
    let folder = try folder(source: "source.file { path = 'feed.ndjson' }")
    try folder.write("feed.ndjson", "{\"a\":1}\n{\"a\":\n{\"a\":2}\n")
    let run = try CommandRun(["run", folder.path("config.lua"), "--format", "json"], in: folder)
    #expect(run.status == 0)
    #expect(run.output.contains("message 2") && !run.output.contains("message 3"), "\(run.output)")
    #expect(run.errors.contains("can't be decoded"), "\(run.errors)")
  }

  @Test("a constructor that doesn't exist is named with its line and those that do")
  func unknownConstructor() throws {
    let folder = try folder(source: "source.websockt { url = 'ws://x' }")
    let run = try CommandRun(["run", folder.path("config.lua")], in: folder)
    #expect(run.status == 2)
    #expect(
      run.errors.contains(
        "config.lua:1: there is no source.websockt; there are: file, http, mqtt, preset, simulated"),
      "\(run.errors)")
  }
}
