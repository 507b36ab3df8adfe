import Pipeline
import Testing

@Suite struct CommandTests {
  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["help", "topics"], ["help", "rules"], ["check", "--help"],
  ])
  func `help goes to standard output, at most 80 characters wide`(words: [String]) throws {
    let run = try CommandRun(words, in: TemporaryFolder())
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(!run.output.isEmpty)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `check counts what a good configuration is made of`() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(["check", try folder.writeProject()], in: folder)
    #expect(run.status == 0)
    #expect(run.output.hasSuffix("config.lua: ok: 1 source, 1 script, 1 rule, 1 channel\n"))
  }

  @Test func `check warns of alerts that no route takes`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.writeProject(
      rest: """
        channels = { screen = channel.console {} },
        routes = { { min_severity = "critical", to = { "screen" } } },
        """)
    let run = try CommandRun(["check", config], in: folder)
    #expect(run.status == 0)
    #expect(run.output.contains("warning: no route takes every alert"))
  }

  @Test func `check warns of a hold that would be lost at the end, and of one that holds nothing back`()
    throws
  {
    let folder = try TemporaryFolder()
    let config = try folder.writeProject(
      rest: """
        channels = { screen = channel.console {}, ops = channel.alertmanager { url = "http://localhost:9093" } },
        routes = { { hold = "22:00-07:00 Europe/Berlin", to = { "screen", "ops" } } },
        """)
    let run = try CommandRun(["check", config], in: folder)
    #expect(run.status == 0)
    #expect(run.output.contains("warning: routes[1] holds alerts and there is no storage"), "\(run.output)")
    let unheld = "warning: routes[1] holds nothing back from 'ops', which shows each alert from its beginning"
    #expect(run.output.contains(unheld), "\(run.output)")
    #expect(!run.output.contains("from 'screen'"))
  }

  @Test func `check warns of a topic that its script never names`() throws {
    let folder = try TemporaryFolder()
    let maker = """
      local M = { on = {} }
      function M.on.price(state, message) emit("bars", message) end
      return M
      """
    let taker = """
      local M = { on = {} }
      function M.on.bar(state, message) end
      return M
      """
    try folder.write("maker.lua", maker)
    try folder.write("taker.lua", taker)
    let config = try folder.write(
      "config.lua",
      """
      return {
        sources = { btc = source.simulated {} },
        scripts = {
          maker = { file = "maker.lua", from = { price = "btc" } },
          taker = { file = "taker.lua", from = { bar = "maker.bars" } },
          rater = { file = "taker.lua", from = { bar = "maker.rates" } },
        },
      }
      """)
    let run = try CommandRun(["check", config], in: folder)
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("maker.lua never names the topic 'rates'"), "\(run.output)")
    #expect(!run.output.contains("the topic 'bars'"), "\(run.output)")
  }

  @Test func `check warns of what a script hardly means, and --strict takes that for a fault`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.writeProject(
      script: """
        local M = { state = { price = json.null }, on = {} }
        function M.on.price(state, message)
          if message.price > 100 then state.price = num(message.price) end
          if state.price then count = 1 end
        end
        return M
        """)
    let run = try CommandRun(["check", config], in: folder)
    #expect(run.status == 0, "\(run.output)")
    let script = folder.path("watch.lua")
    let warnings = run.output.split(separator: "\n").dropLast()
    #expect(
      warnings.map { $0.prefix(while: { $0 != "," }) } == [
        "\(script):3: warning: message.price may come as a text",
        "\(script):4: warning: 'count' is a global",
        "\(script):4: warning: state.price begins as json.null",
      ], "\(run.output)")
    let strict = try CommandRun(["check", config, "--strict"], in: folder)
    #expect(strict.status == 2)
    #expect(strict.output.hasSuffix("config.lua: 3 warnings, and --strict allows none\n"), "\(strict.output)")
    let other = try TemporaryFolder()
    #expect(try CommandRun(["check", try other.writeProject(), "--strict"], in: other).status == 0)
  }

  @Test func `check has nothing to say against the examples`() throws {
    let root = #filePath.split(separator: "/Tests/PipelineCommandTests/")[0]
    let folder = try TemporaryFolder()
    for example in TextFile.names(in: "\(root)/examples") {
      for file in TextFile.names(in: "\(root)/examples/\(example)") where file.hasSuffix("config.lua") {
        let run = try CommandRun(["check", "\(root)/examples/\(example)/\(file)", "--strict"], in: folder)
        #expect(run.status == 0, "\(run.output)")
      }
    }
  }

  @Test func `what a script publishes to a file is a line of it`() throws {
    let folder = try TemporaryFolder()
    try folder.write("prices.ndjson", "{\"price\":1}\n{\"price\":2}\n")
    let config = try folder.writeProject(
      sources: #"btc = source.file { path = "prices.ndjson" }"#,
      script: """
        local M = { on = {} }
        function M.on.price(state, message) effect.publish("log", { doubled = message.price * 2 }) end
        return M
        """, rest: #"channels = { bars = channel.file { path = "bars.ndjson" } },"#)
    let unmapped = try CommandRun(["run", config, "--for", "5s"], in: folder)
    #expect(unmapped.errors.contains("'log' is neither an output of this script nor a channel"))
    let text = folder.read(config).replacing("from =", with: #"outputs = { log = "bars" }, from ="#)
    let mapped = try folder.write("mapped.lua", text)
    let run = try CommandRun(["run", mapped, "--for", "5s"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(folder.read(folder.path("bars.ndjson")) == "{\"doubled\":2}\n{\"doubled\":4}\n")
    let wrong = try folder.write("wrong.lua", text.replacing(#"log = "bars""#, with: #"log = "btc""#))
    let check = try CommandRun(["check", wrong], in: folder)
    #expect(check.status == 2)
    #expect(
      check.output.contains("'btc' is a source.file, which takes nothing from scripts"), "\(check.output)")
  }

  @Test(arguments: [["help"], ["version"]])
  func `a reader who is gone is no failure`(words: [String]) throws {
    let run = try CommandRun(words, in: TemporaryFolder(), closingOutput: true)
    #expect(run.status == 0)
    #expect(run.errors == "")
  }

  @Test func `a new project passes check and test, and is not overwritten`() throws {
    let folder = try TemporaryFolder()
    let project = folder.path("first")
    #expect(try CommandRun(["new", project], in: folder).status == 0)
    let check = try CommandRun(["check", "\(project)/config.lua"], in: folder)
    #expect(check.status == 0, "\(check.output)")
    let test = try CommandRun(["test", project], in: folder)
    #expect(test.status == 0, "\(test.output)\(test.errors)")
    #expect(test.output.contains("1 passed"))
    let again = try CommandRun(["new", project], in: folder)
    #expect(again.status == 2)
    #expect(again.errors.contains("exists already"))
  }

  @Test func `a new plugin passes its test, and a configuration runs it by its folder`() throws {
    let folder = try TemporaryFolder()
    let plugin = folder.path("plugins/high")
    let made = try CommandRun(["new", "--plugin", "\(plugin)/"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("made \(plugin)/plugin_test.lua"))
    let test = try CommandRun(["test", plugin], in: folder)
    #expect(test.output.contains("1 passed, 0 failed"), "\(test.output)\(test.errors)")
    try folder.write("ticks.ndjson", #"{"s":"x","p":1}"# + "\n" + #"{"s":"x","p":"7.25"}"# + "\n")
    let config = try folder.write(
      "config.lua",
      """
      return {
        sources = { ticks = source.file { path = "ticks.ndjson" } },
        scripts = { high = {
          plugin = "plugins/high", from = { value = "ticks" }, params = { value = "p", name = "s", level = 5 },
        } },
        channels = { screen = channel.console {} },
        routes = { { to = { "screen" } } },
      }
      """)
    let run = try CommandRun(["run", config, "--format", "json"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#""text":"x at 7.25""#), "\(run.output)")
  }
}
