import Testing

/// A test that is made of a quarantined message fails as the message did, whatever the script has looked at.
@Suite struct QuarantineTestTests {
  private static let config = """
    return {
      sources = {
        feed = source.stdin { numbers = { "p" }, time = { field = "t" }, sequence = { last = "u" } },
      },
      scripts = {
        maker = { file = "maker.lua", from = { price = "feed" }, params = { most = 10 } },
        reader = { file = "reader.lua", from = { bars = "maker.bars" } },
      },
      storage = storage.sqlite { file = "state.db" },
    }
    """

  private static let maker = """
    local M = { on = {}, state = {} }
    local p = params { most = 5 }
    function M.on.price(state, message, ctx)
      if math.type(message.p) == "float" and message.p > p.most then
        error(("%s of %s at %d, sequence %d"):format(message.p, ctx.source, ctx.time, ctx.sequence))
      end
      emit("bars", { p = message.p })
    end
    return M
    """

  private static let reader = """
    local M = { on = {}, state = {} }
    function M.on.bars(state, message, ctx)
      error(("bar of %s, topic %s, at %d"):format(ctx.source, ctx.topic, ctx.time))
    end
    return M
    """

  @Test func `the written test has the message's topic, source, times and number`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.write("config.lua", Self.config)
    try folder.write("maker.lua", Self.maker)
    try folder.write("reader.lua", Self.reader)
    let run = try RunningCommand(["run", config], in: folder, hasInput: true)
    try run.write(
      #"{"p":"20.5","t":1500000000123,"u":7}"# + "\n" + #"{"p":1,"t":1600000000456,"u":8}"# + "\n")
    run.closeInput()
    #expect(try run.finish().status == 0)
    let list = try CommandRun(["quarantine", config, "--format", "text"], in: folder)
    let lines = list.output.split(separator: "\n")
    #expect(lines.count == 2, "\(list.output)")
    for (number, reason) in [
      ("2", "bar of maker, topic bars, at 1600000000456"), ("1", "20.5 of feed at 1500000000123, sequence 7"),
    ] {
      let file = folder.path("case\(number)_test.lua")
      let made = try CommandRun(["quarantine", config, number, "--as-test", file], in: folder)
      #expect(made.status == 0, "\(made.errors)")
      let test = try CommandRun(["test", file], in: folder)
      #expect(test.status == 1)
      #expect(test.output.contains(reason), "\(folder.read(file))\n\(test.output)")
    }
    let page = try CommandRun(["quarantine", config, "2", "--format", "text"], in: folder)
    #expect(page.output.contains("topic      bars\n"), "\(page.output)")
  }
}
