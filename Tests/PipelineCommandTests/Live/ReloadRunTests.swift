import Glibc
import Scripting
import Testing

@Suite("Reloads of a running program")
struct ReloadRunTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A script that tells its form and how many messages it has seen in its life.
  private static func script(_ form: String, field: String = "count", _ rest: String = "") -> String {
    """
    local M = {}
    M.state = { \(field) = 0 }
    M.on = {}
    function M.on.feed(state, message)
      state.\(field) = state.\(field) + 1
      alert.send { name = "seen", text = "\(form) " .. state.\(field) .. "." }
    end
    \(rest)
    return M
    """
  }

  private static let migrating = script(
    "third", field: "total", "function M.migrate(old) return { total = old.count * 100 } end")

  private func start(
    rest: String = "storage = storage.sqlite { file = 'state.db' }", script: String = script("first")
  ) throws -> (RunningCommand, config: String) {
    let config = try folder.writeLive(feed: "source.stdin {}", script: script, rest: rest)
    let run = try RunningCommand(["run", config], in: folder, hasInput: true)
    try run.wait(for: "feed: connected")
    try run.write("{}\n")
    try run.wait(for: "first 1.", in: .output)
    return (run, config)
  }

  private func stop(_ run: RunningCommand) throws {
    run.closeInput()
    #expect(try run.finish().status == 0)
  }

  @Test(
    "a changed script takes over with the state it finds, whether the file is replaced or written in place")
  func edits() throws {
    let (run, _) = try start()
    try folder.overwrite("watch.lua", Self.script("second"))
    try run.wait(for: "watch: reloaded: 1 key goes on")
    try run.write("{}\n")
    try run.wait(for: "second 2.", in: .output)
    try folder.writeInPlace("watch.lua", Self.migrating)
    try run.wait(for: "reloaded: 1 key goes on, migrated")
    try run.write("{}\n")
    try run.wait(for: "third 201.", in: .output)
    try stop(run)
  }

  @Test("a recording tells which form ran when, and a replay says that another one runs throughout")
  func recorded() throws {
    let config = try folder.writeLive(feed: "source.stdin {}", script: Self.script("first"))
    let tape = folder.path("tape.ndjson")
    let run = try RunningCommand(["run", config, "--record", tape], in: folder, hasInput: true)
    try run.write("{}\n")
    try run.wait(for: "first 1.", in: .output)
    try folder.overwrite("watch.lua", Self.script("second"))
    try run.wait(for: "watch: reloaded: 1 key goes on")
    try run.write("{}\n")
    try run.wait(for: "second 2.", in: .output)
    try stop(run)
    let replay = try CommandRun(["replay", config, tape, "--format", "json"], in: folder)
    #expect(replay.status == 0)
    #expect(try AlertLine.all(replay.output).map(\.text).prefix(2) == ["second 1.", "second 2."])
    #expect(
      replay.errors.contains(
        #/watch: it was reloaded when this was recorded: version [0-9a-f]{16} ran up to .*Z, and ([0-9a-f]{16}) from there on; here version \1 runs throughout/#
      ), "\(replay.errors)")
    #expect(
      replay.errors.contains("pipeline: the recording goes over 1 reload of 'watch': other versions ran"))
    #expect(replay.output.contains(#""reloads":1}}"#))
    // Where the recording holds the form alone that is at hand, there is nothing to say.
    let versions = folder.read(tape).split(separator: "\n").filter { $0.contains(#""version""#) }
    try #require(versions.count == 2)
    try folder.write("part.ndjson", folder.read(tape).replacing("\(versions[0])\n", with: ""))
    let rest = try CommandRun(["replay", config, folder.path("part.ndjson")], in: folder)
    #expect(!rest.errors.contains("version"), "\(rest.errors)")
    #expect(rest.output.contains(#""reloads":0}}"#))
  }

  @Test("a bad file is told with its line and changes nothing, also by a signal; a good one behind it works")
  func badThenGood() throws {
    let (run, _) = try start()
    try folder.overwrite("watch.lua", Self.script("second", "this is no Lua"))
    try run.wait(for: "watch.lua:8: ")
    try run.wait(for: "nothing was reloaded; what ran before runs on")
    try run.write("{}\n")
    try run.wait(for: "first 2.", in: .output)
    run.send(signal: SIGHUP)
    try run.wait(for: "nothing was reloaded", times: 2)
    try folder.overwrite("watch.lua", Self.script("third"))
    try run.wait(for: "watch: reloaded: 1 key goes on")
    try run.write("{}\n")
    try run.wait(for: "third 3.", in: .output)
    run.send(signal: SIGHUP)
    try run.wait(for: "reload: nothing has changed")
    try stop(run)
  }

  @Test("a changed module and changed parameters reload the scripts that have them")
  func modulesAndParameters() throws {
    try folder.write("words.lua", "return { form = 'first' }")
    let script = """
      local M = { on = {}, state = { count = 0 } }
      local p = params { level = 1 }
      function M.on.feed(state)
        state.count = state.count + 1
        alert.send { name = "seen", text = require("words").form .. " " .. state.count .. ". at " .. p.level }
      end
      return M
      """
    let (run, config) = try start(script: script)
    try folder.overwrite("words.lua", "return { form = 'second' }")
    try run.wait(for: "watch: reloaded")
    try run.write("{}\n")
    try run.wait(for: "second 2. at 1", in: .output)
    let text = folder.read(config).replacing(
      "from = { 'feed' }", with: "from = { 'feed' }, params = { level = 5 }")
    try folder.overwrite("config.lua", text)
    try run.wait(for: "watch: reloaded", times: 2)
    try run.write("{}\n")
    try run.wait(for: "second 3. at 5", in: .output)
    try stop(run)
  }

  @Test("what needs a restart is named, and nothing of the change is taken over")
  func needsRestart() throws {
    let (run, config) = try start()
    try folder.overwrite("watch.lua", Self.script("second"))
    try run.wait(for: "watch: reloaded")
    let text = folder.read(config).replacing("state.db", with: "other.db")
      .replacing("channel.console {}", with: "channel.file { path = 'alerts.ndjson' }")
    try folder.overwrite("config.lua", text)
    try run.wait(for: "channels.main became another component, which needs a restart")
    try run.wait(for: "storage.file changed, which needs a restart")
    try run.write("{}\n")
    try run.wait(for: "second 2.", in: .output)
    try stop(run)
  }

  @Test("after kill -9 right behind a reload the new script goes on with the state it had migrated")
  func killed() throws {
    for round in 0..<3 {
      let folder = try TemporaryFolder()
      let config = try folder.writeLive(
        feed: "source.stdin {}", script: Self.script("first"),
        rest: "storage = storage.sqlite { file = 'state.db' }")
      let run = try RunningCommand(["run", config], in: folder, hasInput: true)
      try run.wait(for: "feed: connected")
      try run.write("{}\n{}\n")
      try run.wait(for: "first 2.", in: .output)
      try folder.overwrite("watch.lua", Self.migrating)
      try run.wait(for: "migrated")
      // Before, around and after the first commit behind the reload.
      if round > 0 { try run.write("{}\n") }
      if round > 1 { try run.wait(for: "third 201.", in: .output) }
      run.send(signal: SIGKILL)
      #expect(try run.finish().status == -SIGKILL)
      let again = try RunningCommand(["run", config], in: folder, hasInput: true)
      try again.wait(for: "feed: connected")
      try again.write("{}\n")
      let allowed = round == 0 ? ["third 201."] : round == 1 ? ["third 201.", "third 202."] : ["third 202."]
      // What was told before the kill may come again, under the same id.
      try again.wait(
        until: {
          let output = again.text(.output)
          return allowed.contains { output.contains($0) }
        }, "one of \(allowed)")
      again.closeInput()
      #expect(try again.finish().status == 0)
    }
  }

  @Test("reload answers with the result, and --test keeps a script back whose tests fail")
  func command() throws {
    let (run, config) = try start()
    let nothing = try CommandRun(["reload", config, "--format", "text"], in: folder)
    #expect(nothing.status == 0)
    #expect(nothing.output == "nothing has changed\n")
    try folder.write(
      "watch_test.lua",
      """
      local t = test.script("watch.lua")
      it("sees", function() t.receive("feed", {}) t.state { count = 1 } t.alert { text = "second 1." } end)
      """)
    try folder.overwrite("watch.lua", Self.script("wrong", "M.dropped = 1"))
    let failing = try CommandRun(["reload", config, "--test"], in: folder)
    #expect(failing.status == 1)
    #expect(failing.errors.contains("the tests fail, so nothing was reloaded"))
    let refused = try CommandRun(["reload", config], in: folder)
    #expect(refused.status == 1)
    let answer = try Value(json: refused.output)
    #expect(answer["ok"] == false)
    #expect("\(answer["lines"] ?? .null)".contains("M.dropped: expected a list of names"))
    try folder.overwrite("watch.lua", Self.script("second"))
    let good = try CommandRun(["reload", config, "--test", "--format", "text"], in: folder)
    #expect(good.status == 0)
    try run.write("{}\n")
    try run.wait(for: "second 2.", in: .output)
    let status = try Value(json: try CommandRun(["status", config], in: folder).output)
    #expect(status["reload"]?["ok"] == true)
    try stop(run)
  }
}
