import Testing

@Suite struct ReplayTests {
  private func lines(_ prices: [Int]) -> String { prices.map { "{\"price\":\($0)}\n" }.joined() }

  @Test func `plain messages are a second apart and their alerts carry these times`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.writeProject()
    let file = try folder.write("prices.ndjson", lines([90, 110, 120]))
    let run = try CommandRun(["replay", config, file, "--format", "text"], in: folder)
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("2026-01-01T00:00:01.000Z  info"))
    #expect(run.output.split(separator: "\n").count == 1)
    #expect(run.errors.contains("3 messages in "))
    #expect(run.errors.contains("1 alert (watch: over 1), 0 errors"))
  }

  @Test func `a recording gives times and sources, and others than the configured are named`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.writeProject()
    let file = try folder.write(
      "tape.ndjson",
      """
      {"time":1000,"source":"btc","message":{"price":90}}
      {"time":1500,"source":"btx","message":{"price":500}}
      not a line
      {"source":"btc","text":"{\\"price\\":\\"110\\"}","time":2500}
      """)
    let run = try CommandRun(["replay", config, file], in: folder)
    #expect(run.status == 0)
    #expect(run.output.contains("\"time\":\"1970-01-01T00:00:02.500Z\""))
    #expect(run.errors.contains("line 3 is skipped: expected a JSON object"))
    #expect(
      run.errors.contains("1 message skipped: the configuration has no source 'btx'; did you mean 'btc'?"))
    #expect(run.errors.contains("2 messages in "))
    #expect(run.errors.contains(", 1 error"))
  }

  @Test func `two replays are the same, byte for byte`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.writeProject()
    let file = try folder.write("prices.ndjson", lines((0..<60_000).map { ($0 * 7_919) % 200 }))
    let first = try CommandRun(["replay", config, file], in: folder)
    let second = try CommandRun(["replay", config, file], in: folder)
    #expect(first.status == 0)
    #expect(!first.output.isEmpty)
    #expect(first.output == second.output)
  }

  @Test func `a message that can't be read or handled is an error, and the next one is handled`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.writeProject()
    let file = try folder.write(
      "prices.ndjson", "{\"price\":90}\n{broken\n{\"price\":\"x\"}\n{\"price\":110}\n")
    let run = try CommandRun(["replay", config, file], in: folder)
    #expect(run.status == 0)
    #expect(run.output.contains("\"name\":\"over\""))
    #expect(run.errors.contains("2 errors"))
    #expect(run.errors.contains("watch.lua:6: "))
  }

  @Test func `several sources need a name for plain messages`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.writeProject(sources: "btc = source.simulated {}, eth = source.simulated {}")
    let file = try folder.write("prices.ndjson", lines([90, 110]))
    let unnamed = try CommandRun(["replay", config, file], in: folder)
    #expect(unnamed.status == 2)
    #expect(unnamed.errors.contains("name one with --source, or as in btc=FILE: btc, eth"))
    let named = try CommandRun(["replay", config, file, "--source", "btc"], in: folder)
    #expect(named.status == 0)
    #expect(named.output.contains("\"name\":\"over\""))
  }

  @Test func `a reader who is gone ends a replay quietly`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.writeProject()
    let file = try folder.write("prices.ndjson", lines([90, 110]))
    #expect(try CommandRun(["replay", config, file], in: folder, closingOutput: true).status == 0)
  }

  @Test func `a missing recording is named`() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(["replay", try folder.writeProject(), folder.path("none.ndjson")], in: folder)
    #expect(run.status == 2)
    #expect(run.errors.contains("none.ndjson\": No such file or directory"))
  }
}
