import Glibc
import Scripting
import Testing

@Suite("Sources of lines in a live run")
struct ResumeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a pipe is read to its end, the last line without a newline included, and the run ends with it")
  func pipe() throws {
    let config = try folder.writeLive(feed: "source.stdin {}")
    let run = try RunningCommand(["run", config], in: folder, hasInput: true)
    try run.write("{\"n\":1}\n{\"n\":")
    try run.wait(for: "message 1.", in: .output)
    try run.write("2}\n\n{\"n\":3}")
    run.closeInput()
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(try AlertLine.all(end.output).map(\.text) == ["message 1.", "message 2.", "message 3."])
  }

  @Test("a named pipe in place of a file waits for its writer, and ends with it")
  func namedPipe() throws {
    mkfifo(folder.path("feed"), 0o600)
    let run = try RunningCommand(
      ["run", try folder.writeLive(feed: "source.file { path = 'feed' }")], in: folder)
    try run.wait(for: "feed: connected")
    let writer = open(folder.path("feed"), O_WRONLY | O_CLOEXEC)
    let line = Array("{\"n\":1}\n".utf8)
    #expect(write(writer, line, line.count) == line.count)
    try run.wait(for: "message 1.", in: .output)
    close(writer)
    #expect(try run.finish().status == 0)
  }

  @Test("an input that is empty or no pipe ends at once, and says nothing else", arguments: ["json", "text"])
  func noInput(format: String) throws {
    let config = try folder.writeLive(feed: "source.stdin {}")
    let end = try CommandRun(["run", config, "--format", format, "--log-level", "warn"], in: folder)
    #expect(end.status == 0)
    #expect(end.output == "")
    #expect(end.errors == "")
  }

  @Test(
    "after kill -9 a file goes on where it was: nothing is lost, nothing counted twice, ids stay the same")
  func killedFile() throws {
    let lineCount = 3_000
    let padding = String(repeating: "x", count: 1_000)
    try folder.write("feed.ndjson", (1...lineCount).map { "{\"n\":\($0),\"pad\":\"\(padding)\"}\n" }.joined())
    let config = try folder.writeLive(
      feed: "source.file { path = 'feed.ndjson' }",
      script: """
        local M = {}
        M.state = { count = 0, sum = 0 }
        M.on = {}
        function M.on.feed(state, message)
          state.count, state.sum = state.count + 1, state.sum + message.n
          if message.n % 100 == 0 then
            alert.send { name = "seen", text = message.n .. ": " .. state.count .. ", " .. state.sum .. "." }
          end
        end
        return M
        """, rest: "storage = storage.sqlite { file = 'state.db' }")
    var alerts: [AlertLine] = []
    for round in 1...5 {
      let run = try RunningCommand(["run", config], in: folder)
      try run.wait(for: "\"seen\"", times: round, in: .output)
      run.send(signal: SIGKILL)
      let end = try run.finish()
      #expect(end.status == -SIGKILL)
      alerts += try AlertLine.all(end.output)
    }
    let last = try CommandRun(["run", config], in: folder)
    #expect(last.status == 0)
    alerts += try AlertLine.all(last.output)
    let expected = stride(from: 100, through: lineCount, by: 100).map {
      "\($0): \($0), \($0 * ($0 + 1) / 2)."
    }
    #expect(Set(alerts.map(\.text)) == Set(expected))
    #expect(Set(alerts).count == expected.count, "the same alert has the same id")
    let again = try CommandRun(["run", config], in: folder)
    #expect(again.status == 0)
    #expect(again.output == "", "a file that was read to its end gives nothing new")
  }
}
