import Glibc
import Testing

@Suite("Orders to a host about its alerts")
struct AlertOrdersTests {
  private let folder: TemporaryFolder
  private let config: String

  /// A rule over 100 by key, whose alerts go to the console and to a program that fails until the file `works` is there.
  init() throws {
    folder = try TemporaryFolder()
    let program = try folder.write(
      "notify", "#!/bin/sh\n[ -e '\(folder.root)/works' ] && echo \"$@\" >> '\(folder.root)/told'\n")
    #expect(chmod(program, 0o755) == 0)
    config = try folder.writeProject(
      sources: "feed = source.stdin {}", from: "{ 'feed' }",
      script: """
        local M = { state = { n = 0 }, key = "key", on = {} }
        local over = alert.rule { name = "over", above = 100, text = function(value) return "at " .. value end }
        function M.on.feed(state, message)
          state.n = num(message.n)
          over:check(state.n)
        end
        return M
        """,
      rest: """
        channels = { screen = channel.console {}, desk = channel.desktop { command = "\(program)" } },
        routes = { { rule = "over", to = { "screen", "desk" } }, { to = { "screen" } } },
        storage = storage.sqlite { file = "state.db" },
        """)
  }

  private func start() throws -> RunningCommand {
    try RunningCommand(["run", config, "--format", "json"], in: folder, hasInput: true)
  }

  private func alerts(_ words: String...) throws -> CommandRun {
    try CommandRun(["alerts"] + words, in: folder)
  }

  @Test func `a rule is silenced beside the running host, and told when that is lifted and it goes on`()
    throws
  {
    let run = try start()
    try run.write(#"{"key":"a","n":150}"# + "\n")
    try run.wait(for: #""key":"a""#, in: .output)
    let silenced = try alerts("silence", config, "over", "--key", "b", "--for", "2h")
    #expect(silenced.status == 0 && silenced.errors == "", "\(silenced.errors)")
    #expect(silenced.output.hasPrefix("1  over [b] until "))
    try run.write(#"{"key":"b","n":150}"# + "\n" + #"{"key":"c","n":150}"# + "\n")
    try run.wait(for: #""key":"c""#, in: .output)
    #expect(!run.text(.output).contains(#""key":"b""#))
    let list = try alerts(config, "--format", "text")
    #expect(list.errors.contains("silenced: 1  over [b] until "))
    #expect(
      list.output.contains(
        "  silenced   screen  over [b]: at 150.0 (told if it goes on when the silence ends)"),
      "\(list.output)")
    #expect(try alerts("silences", config).output.contains(#""key":"b","number":1,"rule":"over"}"#))

    #expect(try alerts("lift", config, "1").output.hasPrefix("lifted 1  over [b]"))
    try run.wait(for: "silenced until now)", in: .output)
    run.closeInput()
    #expect(try run.finish().status == 0)
    #expect(try alerts("silences", config, "--format", "text").output == "nothing is silenced\n")
  }

  @Test func `dead letters are sent again, by the running host or the next one`() throws {
    let run = try start()
    try run.write(#"{"key":"a","n":150}"# + "\n")
    try run.wait(for: "can't deliver 'over'")
    try run.wait(for: "could not deliver 'over'", in: .output)
    try folder.write("works", "")
    #expect(try alerts("retry", config, "--channel", "desk").output == "1 dead letter to be sent again\n")
    try run.write(#"{"key":"b","n":160}"# + "\n")
    try run.wait(for: #""key":"b""#, in: .output)
    run.closeInput()
    #expect(try run.finish().status == 0)
    let told = folder.read(folder.path("told"))
    #expect(told.contains("at 150") && told.contains("at 160"), "\(told)")
    #expect(try alerts(config, "--failed", "--format", "text").output == "there are no dead letters\n")

    #expect(unlink(folder.path("works")) == 0)
    let second = try start()
    try second.write(#"{"key":"c","n":170}"# + "\n")
    try second.wait(for: "can't deliver 'over'")
    second.closeInput()
    #expect(try second.finish().status == 0)
    try folder.write("works", "")
    #expect(try alerts("retry", config, "--all").output == "1 dead letter to be sent again\n")
    let third = try start()
    third.closeInput()
    #expect(try third.finish().status == 0)
    #expect(folder.read(folder.path("told")).contains("at 170"))
  }

  @Test func `the list is filtered by rule, key, severity, channel, time and state`() throws {
    let run = try start()
    try run.write(
      #"{"key":"a","n":150}"# + "\n" + #"{"key":"b","n":160}"# + "\n" + #"{"key":"a","n":50}"# + "\n")
    run.closeInput()
    #expect(try run.finish().status == 0)
    func count(_ words: String...) throws -> Int {
      let run = try CommandRun(["alerts", config, "--format", "json", "--limit", "100"] + words, in: folder)
      #expect(run.status == 0, "\(run.errors)")
      return run.output.split(separator: "\n").count
    }
    #expect(try count("--rule", "over") == 6)
    #expect(try count("--rule", "nothing") == 0)
    #expect(try count("--key", "a", "--rule", "over") == 4)
    #expect(try count("--rule", "over", "--channel", "screen") == 3)
    #expect(try count("--rule", "over", "--failed") == 3)
    #expect(try count("--rule", "over", "--severity", "warning") == 0)
    #expect(try count("--rule", "over", "--since", "1h") == 6)
    #expect(try count("--rule", "over", "--until", "1h") == 0)
    #expect(try count("--rule", "over", "--since", "2020-01-01", "--until", "2021-01-01") == 0)
    let firing = try alerts(config, "--state", "firing", "--format", "text").output
    #expect(
      firing.hasPrefix("firing since ") && firing.hasSuffix("  watch: over [b], last value 160\n"),
      "\(firing)")
    let clear = try alerts(config, "--state", "clear").output
    #expect(
      clear.contains(#""key":"a","rule":"over","script":"watch""#) && clear.contains(#""state":"clear""#))
    #expect(try alerts(config, "--state", "pending", "--format", "text").output == "no rule is pending\n")
  }

  @Test func `an unknown name is told with the known ones, and none of the host's own`() throws {
    let run = try start()
    try run.write(#"{"key":"a","n":50}"# + "\n")
    run.closeInput()
    #expect(try run.finish().status == 0)
    let silence = try alerts("silence", config, "quite another", "--for", "1h")
    #expect(silence.status == 0)
    #expect(
      silence.errors.contains("no alert 'quite another' is known yet; known: over\n"), "\(silence.errors)")
  }

  @Test func `what can't be done is said`() throws {
    let run = try start()
    try run.write(#"{"key":"a","n":150}"# + "\n")
    run.closeInput()
    #expect(try run.finish().status == 0)
    for (words, status, expected) in [
      (["silence", config, "over"], 2, "needs --for DURATION"),
      (["silence", config], 2, "'alerts silence' needs RULE"),
      (["silence", config, "ovr", "--for", "1h"], 0, "no alert 'ovr' is known yet; did you mean 'over'?"),
      (["lift", config], 2, "needs either the NUMBER of a silence or --all"),
      (["lift", config, "99"], 1, "there is no silence 99 now"),
      (["lift", config, "x"], 2, "expected the number of a silence, got 'x'"),
      (["retry", config], 2, "needs the ID of an alert, --channel NAME, or --all"),
      (["retry", config, "--channel", "dest"], 2, "has no channel 'dest'; did you mean 'desk'?"),
      (["retry", config, "0123"], 1, "there is no such dead letter"),
      ([config, "--since", "soon"], 2, "--since: expected a time such as"),
      ([config, "--state", "firing", "--failed"], 2, "--failed is about deliveries"),
    ] as [([String], Int32, String)] {
      let run = try CommandRun(["alerts"] + words, in: folder)
      #expect(run.status == status, "\(words): \(run.errors)")
      #expect(run.errors.contains(expected), "\(words): \(run.errors)")
    }
  }
}
