import Testing

@Suite("What is stored, looked at from outside")
struct StoredTests {
  private let folder: TemporaryFolder
  private let config: String

  /// Runs a script by two keys that fails on one of three messages.
  init() throws {
    folder = try TemporaryFolder()
    let messages = [
      #"{"s":"BTC","price":"1.5"}"#, #"{"s":"ETH","price":"none"}"#, "{bad", #"{"s":"ETH","price":2}"#,
    ]
    try folder.write("prices.ndjson", messages.map { $0 + "\n" }.joined())
    config = try folder.writeProject(
      sources: #"btc = source.file { path = "prices.ndjson" }"#,
      script: """
        local M = { state = { price = json.null, tags = {} }, key = "s", on = {} }
        local p = params { factor = 1 }
        function M.on.price(state, message)
          state.tags.seen = true
          state.price = num(message.price) * p.factor
        end
        return M
        """,
      rest: #"channels = { screen = channel.console {} }, storage = storage.sqlite { file = "state.db" },"#)
    let run = try CommandRun(["run", config, "--for", "20s"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `the state of every key is shown, or of one`() throws {
    let all = try CommandRun(["state", config], in: folder)
    #expect(
      all.output == """
        {"key":"BTC","script":"watch","state":{"price":1.5,"tags":{"seen":true}}}
        {"key":"ETH","script":"watch","state":{"price":2.0,"tags":{"seen":true}}}

        """)
    let one = try CommandRun(["state", config, "ETH", "--format", "text"], in: folder)
    #expect(one.output == "ETH  {\"price\": 2.0, \"tags\": {\"seen\": true}}\n")
    let none = try CommandRun(["state", config, "XRP"], in: folder)
    #expect(none.status == 1)
    #expect(none.errors == "pipeline: script 'watch' has no state under 'XRP'\n")
  }

  @Test func `the quarantine lists what failed, the latest first, and shows one in full`() throws {
    let list = try CommandRun(["quarantine", config, "--format", "text"], in: folder)
    let lines = list.output.split(separator: "\n")
    #expect(lines.count == 2, "\(list.output)")
    #expect(lines.contains { $0.contains("watch: ") && $0.contains("watch.lua:5: num: field 'price'") })
    #expect(lines.contains { $0.contains("  btc: ") && $0.contains("offset 1") })
    let number = try #require(lines.first { $0.contains("watch.lua") }?.split(separator: " ").first)
    let page = try CommandRun(["quarantine", config, String(number), "--format", "text"], in: folder)
    #expect(page.output.contains("input      price\n"), "\(page.output)")
    #expect(page.output.hasSuffix("{\"s\": \"ETH\", \"price\": \"none\"}\n"), "\(page.output)")
    let json = try CommandRun(["quarantine", config, String(number)], in: folder)
    #expect(json.output.contains(#""message":"{\"s\":\"ETH\",\"price\":\"none\"}""#), "\(json.output)")
  }

  @Test func `a failed message becomes a test that fails as it did, and passes when the script is mended`()
    throws
  {
    let list = try CommandRun(["quarantine", config, "--format", "text"], in: folder)
    let line = try #require(list.output.split(separator: "\n").first { $0.contains("watch.lua") })
    let number = String(line.prefix { $0 != " " })
    let file = folder.path("failing_test.lua")
    let made = try CommandRun(["quarantine", config, number, "--as-test", file], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let failing = try CommandRun(["test", file], in: folder)
    #expect(failing.status == 1)
    #expect(failing.output.contains("num: field 'price'"), "\(failing.output)")
    let script = folder.read(folder.path("watch.lua"))
      .replacing(
        "function M.on.price(state, message)",
        with: "function M.on.price(state, message) if message.price == \"none\" then return end")
    let mended = try TemporaryFolder()
    try mended.write("watch.lua", script)
    try mended.write("failing_test.lua", folder.read(file))
    let passing = try CommandRun(["test", mended.path("failing_test.lua")], in: mended)
    #expect(passing.status == 0, "\(passing.output)")
    let again = try CommandRun(["quarantine", config, number, "--as-test", file], in: folder)
    #expect(again.status == 1)
    #expect(again.errors.contains("can't create"), "\(again.errors)")
  }

  @Test func `what can't be shown is said`() throws {
    for (words, status, expected) in [
      (["quarantine", config, "x"], 2, "expected the number of a message, got 'x'"),
      (["quarantine", config, "999"], 1, "the quarantine has no message 999"),
      (["quarantine", config, "--as-test", "x_test.lua"], 2, "--as-test needs the NUMBER"),
      (["state", config, "--script", "wathc"], 2, "has no script 'wathc'; did you mean 'watch'?"),
    ] as [([String], Int32, String)] {
      let run = try CommandRun(words, in: folder)
      #expect(run.status == status, "\(words)")
      #expect(run.errors.contains(expected), "\(run.errors)")
    }
    let fresh = try TemporaryFolder()
    let unused = try fresh.writeProject(rest: #"storage = storage.sqlite { file = "none.db" },"#)
    #expect(try CommandRun(["state", unused], in: fresh).errors.contains("there is no storage file"))
    try fresh.write("none.db", "something else")
    #expect(try CommandRun(["state", unused], in: fresh).errors.contains("is not a SQLite database"))
    let without = try TemporaryFolder()
    let run = try CommandRun(["state", without.writeProject()], in: without)
    #expect(run.status == 2)
    #expect(run.errors.contains("has no storage, so nothing is kept"), "\(run.errors)")
  }
}
