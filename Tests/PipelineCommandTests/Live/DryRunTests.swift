import Testing

@Suite("A dry run")
struct DryRunTests {
  @Test("channels, requests and messages only say what would have left, and nothing is stored")
  func inside() throws {
    let folder = try TemporaryFolder()
    let config = try folder.writeLive(
      feed: "source.stdin {}", from: "'feed' }, hosts = { '127.0.0.1' ",
      script: """
        local M = { on = {}, actions = {}, state = {} }
        function M.on.feed(state, message)
          alert.send { name = "seen", text = "message " .. message.n }
          effect.http { url = "http://127.0.0.1:9/secret-path", method = "POST", reply = "got" }
        end
        function M.actions.got(state, reply) log.info("reply", reply.error) end
        return M
        """,
      channel: "channel.file { path = 'alerts.ndjson' }",
      rest: "storage = storage.sqlite { file = 'state.db' },")
    let run = try RunningCommand(["run", config, "--dry-run"], in: folder, hasInput: true)
    try run.write("{\"n\":1}\n")
    try run.wait(for: "reply dry_run")
    run.closeInput()
    let end = try run.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(
      end.errors.contains("main: not delivered in a dry run: firing, info: seen: message 1"), "\(end.errors)")
    #expect(end.errors.contains("not sent in a dry run: POST to 127.0.0.1"), "\(end.errors)")
    #expect(!end.errors.contains("secret-path"))
    #expect(folder.read(folder.path("alerts.ndjson")).isEmpty)
    #expect(folder.read(folder.path("state.db")).isEmpty)
  }

  @Test("a run that records can be replayed, with the same alerts and the replies that it got")
  func recording() throws {
    let folder = try TemporaryFolder()
    let config = try folder.writeLive(
      feed: "source.stdin {}", from: "'feed' }, hosts = { '127.0.0.1' ",
      script: """
        local M = { on = {}, actions = {}, state = {} }
        function M.on.feed(state, message)
          effect.http { url = "http://127.0.0.1:9/", reply = "got", timeout = "5s" }
        end
        function M.actions.got(state, reply)
          alert.send { name = "reply", text = reply.error and reply.error:sub(1, 7) or "none" }
        end
        return M
        """)
    let file = folder.path("run.ndjson.gz")
    let run = try RunningCommand(["run", config, "--record", file], in: folder, hasInput: true)
    try run.write("{\"n\":1}\n")
    try run.wait(for: "\"name\":\"reply\"", in: .output)
    run.closeInput()
    let end = try run.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.errors.contains("1 message in \(file)"), "\(end.errors)")
    let replay = try CommandRun(["replay", config, file], in: folder)
    #expect(Self.replies(in: end.output) == 1, "\(end.output)")
    #expect(Self.replies(in: replay.output) == 1, "\(replay.output) \(replay.errors)")
    #expect(!replay.output.contains("not_rec"), "\(replay.output)")
  }

  /// How many alerts tell of a reply.
  private static func replies(in output: String) -> Int {
    output.split(separator: "\n").count { $0.contains("\"name\":\"reply\"") && $0.contains("\"id\":") }
  }
}
