import Testing

@Suite struct RecordTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `what was recorded is replayed with the same alerts, connections included`() throws {
    try folder.write("prices.ndjson", "{\"price\":\"69\"}\nnot JSON\n{\"price\":\"171\"}\n")
    let config = try folder.writeProject(
      sources: #"btc = source.file { path = "prices.ndjson" }"#,
      script: TemporaryFolder.script.replacing(
        "M.on = {}",
        with:
          "M.on = {} M.events = { connection = function(state, event) log.info(event.state, event.reason) end }"
      ))
    let file = folder.path("day.ndjson")
    let record = try CommandRun(["record", config, "--output", file], in: folder)
    #expect(record.status == 0, "\(record.errors)")
    #expect(record.errors.contains("3 messages in"), "\(record.errors)")
    let replay = try CommandRun(["replay", config, file], in: folder)
    #expect(replay.output.contains(#""value":171.0"#), "\(replay.output)")
    #expect(replay.errors.contains("info watch: disconnected the input has ended"), "\(replay.errors)")
    #expect(replay.errors.contains("3 messages"), "\(replay.errors)")
    let again = try CommandRun(["replay", config, file], in: folder)
    #expect(again.output == replay.output)
  }

  @Test func `a recording is continued, not overwritten`() throws {
    let config = try folder.writeProject(sources: "btc = source.simulated { rate = 1000, count = 10 }")
    let file = folder.path("day.ndjson")
    for _ in 0..<2 {
      #expect(try CommandRun(["record", config, "btc", "--output", file], in: folder).status == 0)
    }
    let messages = folder.read(file).split(separator: "\n").filter { $0.contains(#""message":"#) }
    #expect(messages.count == 20)
  }

  @Test func `a file that may not grow ends a recording with a sentence`() throws {
    let config = try folder.writeProject(sources: "btc = source.simulated { rate = 10000 }")
    let run = try CommandRun(
      ["record", config, "--output", folder.path("day.ndjson")], in: folder,
      bounds: CommandBounds(fileBytes: 65_536))
    #expect(run.status == 1)
    #expect(run.errors.contains("File too large"), "\(run.errors)")
  }

  @Test func `what can't be recorded is said`() throws {
    let config = try folder.writeProject(sources: "btc = source.simulated { rate = 1000 }")
    for (words, status, expected) in [
      ([], 2, "name the file with --output FILE"),
      (["bts", "--output", "x"], 2, "has no source 'bts'; did you mean 'btc'?"),
      (["--output", "x", "--max-size", "big"], 2, "--max-size: expected a size such as 100MB"),
      (["--output", "/dev/full"], 1, "can't write the recording \"/dev/full\""),
      (["--output", folder.path("none/x")], 1, "can't write the recording"),
    ] as [([String], Int32, String)] {
      let run = try CommandRun(["record", config] + words, in: folder)
      #expect(run.status == status, "\(words)")
      #expect(run.errors.contains(expected), "\(run.errors)")
    }
  }
}
