import Testing

@Suite struct BadInputTests {
  /// Runs `check` and `run`: both refuse with the same words, on their own stream.
  private func refusal(_ folder: TemporaryFolder, _ config: String) throws -> String {
    let check = try CommandRun(["check", config], in: folder)
    let run = try CommandRun(["run", config, "--for", "1s"], in: folder)
    #expect(check.status == 2)
    #expect(run.status == 2)
    #expect(check.errors == "")
    #expect(run.output == "")
    #expect(run.errors == check.output)
    #expect(check.output.hasPrefix(folder.root))
    return check.output
  }

  @Test func `an unknown option is named with the nearest known one`() throws {
    let folder = try TemporaryFolder()
    let text = try refusal(folder, folder.writeProject(sources: "btc = source.simulated { sed = 1 }"))
    #expect(text.contains("config.lua:2: sources.btc.sed: unknown option"))
    #expect(text.contains("did you mean 'seed'?"))
  }

  @Test func `a value of the wrong type is named with what was expected`() throws {
    let folder = try TemporaryFolder()
    let text = try refusal(folder, folder.writeProject(sources: "btc = source.simulated { seed = \"one\" }"))
    #expect(text.contains("config.lua:2: sources.btc.seed"))
    #expect(text.contains("got \"one\""))
  }

  @Test func `what is not a URL is refused`() throws {
    let folder = try TemporaryFolder()
    let text = try refusal(
      folder, folder.writeProject(sources: "btc = source.websocket { url = \"example\" }"))
    #expect(text.contains("sources.btc.url"))
    #expect(text.contains("ws://"))
  }

  @Test func `an unknown source in from is refused`() throws {
    let folder = try TemporaryFolder()
    let text = try refusal(folder, folder.writeProject(from: "{ price = \"btx\" }"))
    #expect(text.contains("scripts.watch.from.price"))
    #expect(text.contains("did you mean 'btc'?"))
  }

  @Test func `a script's syntax error is named with its line`() throws {
    let folder = try TemporaryFolder()
    let text = try refusal(folder, folder.writeProject(script: "local M = {}\nlocal = 1\nreturn M"))
    #expect(text.contains("watch.lua:2: "))
  }

  @Test func `a script that returns no table is refused`() throws {
    let folder = try TemporaryFolder()
    let text = try refusal(folder, folder.writeProject(script: "local M = {}"))
    #expect(text.contains("watch.lua"))
    #expect(text.contains("table"))
  }

  @Test func `a missing configuration is named`() throws {
    let folder = try TemporaryFolder()
    let text = try refusal(folder, folder.path("config.lua"))
    #expect(text.contains("No such file or directory"))
  }

  @Test(arguments: [
    ([], "usage: pipeline COMMAND"),
    (["chek"], "did you mean 'check'?"),
    (["check"], "'check' needs CONFIG"),
    (["check", "a", "b"], "unexpected 'b'"),
    (["check", "--frmat", "a"], "'check' has no option '--frmat'"),
    (["replay", "a", "b", "--fromat=json"], "did you mean '--format'?"),
    (["replay", "a", "b", "--format=xml"], "expected text or json, got 'xml'"),
    (["run", "a", "--for", "5"], "write \"5s\" for seconds"),
    (["run", "a", "--for", "0s"], "expected more than no time"),
    (["run", "a", "--for"], "--for expects a value"),
    (["run", "a", "--no-state=1"], "takes no value"),
    (["run", "a", "--for=1s", "--for=2s"], "--for is given twice"),
    (["help", "chanels"], "did you mean 'channels'?"),
  ])
  func `a wrong command line ends with 2 and says what is wrong`(words: [String], text: String) throws {
    let run = try CommandRun(words, in: TemporaryFolder())
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(text))
  }
}
