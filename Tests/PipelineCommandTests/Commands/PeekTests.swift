import Testing

@Suite struct PeekTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ messages: [String], sources: String = #"feed = source.file { path = "feed.ndjson" }"#)
    throws -> String
  {
    try folder.write("feed.ndjson", messages.map { $0 + "\n" }.joined())
    return try folder.write("config.lua", "return { sources = { \(sources) } }")
  }

  @Test func `a message is shown with its members in their order and its digits as they came`() throws {
    let config = try write([#"{"z":1.50,"a":[1,2e3],"big":123456789012345678901}"#])
    let run = try CommandRun(["peek", config, "feed", "--format", "text"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix("Z  feed  50 bytes") == true)
    #expect(lines.last == #"{"z": 1.50, "a": [1, 2e3], "big": 123456789012345678901}"#)
  }

  @Test func `what fits no line is broken where its parts begin`() throws {
    let item = #"{"symbol":"BTCUSDT","price":"67123.45","quantity":"0.001"}"#
    let config = try write([#"{"stream":"trades","empty":{},"data":[\#(item), \#(item)]}"#])
    let run = try CommandRun(["peek", config, "--format", "text"], in: folder)
    #expect(
      run.output.split(separator: "\n").dropFirst().joined(separator: "\n") == """
        {
          "stream": "trades",
          "empty": {},
          "data": [
            {"symbol": "BTCUSDT", "price": "67123.45", "quantity": "0.001"},
            {"symbol": "BTCUSDT", "price": "67123.45", "quantity": "0.001"}
          ]
        }
        """)
  }

  @Test func `what could drive a terminal is written as an escape`() throws {
    let config = try write(["{\"text\":\"a\u{9b}31mred\u{202e}\"}", "\u{1b}]0;title\u{7}"])
    let run = try CommandRun(["peek", config, "--format", "text"], in: folder)
    #expect(run.output.contains(#"{"text": "a\u009b31mred\u202e"}"#))
    #expect(run.output.contains(#"\u{1b}]0;title\u{7}"#))
    #expect(!run.output.unicodeScalars.contains("\u{1b}"))
  }

  @Test func `a message that is no JSON is shown with the reason`() throws {
    let config = try write([#"{"price":}"#])
    let run = try CommandRun(["peek", config, "--format", "text"], in: folder)
    #expect(run.output.contains("10 bytes, not JSON: "))
    #expect(run.output.hasSuffix("{\"price\":}\n"))
  }

  @Test func `JSON lines are a recording, which replay takes`() throws {
    let messages = [#"{"price":"69"}"#, "not JSON", #"{"price":"171"}"#]
    try folder.write("prices.ndjson", messages.map { $0 + "\n" }.joined())
    let config = try folder.writeProject(sources: #"btc = source.file { path = "prices.ndjson" }"#)
    let run = try CommandRun(["peek", config, "btc", "--format", "json"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasSuffix(#","source":"btc","message":{"price":"69"}}"#) == true)
    #expect(lines.dropFirst().first?.hasSuffix(#","source":"btc","text":"not JSON"}"#) == true)
    try folder.write("recorded.ndjson", run.output)
    let replay = try CommandRun(["replay", config, folder.path("recorded.ndjson")], in: folder)
    #expect(replay.errors.contains("3 messages"), "\(replay.errors)")
    #expect(replay.output.contains(#""value":171"#), "\(replay.output)")
  }

  @Test func `it ends behind the number of messages that were asked for`() throws {
    let config = try write(
      [], sources: "feed = source.simulated { rate = 1000 }")
    let run = try CommandRun(["peek", config, "feed", "--count", "3", "--format", "json"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.split(separator: "\n").count == 3)
  }

  @Test func `a source that can't be read is a failure`() throws {
    let config = try write([], sources: #"feed = source.file { path = "../." }"#)
    let run = try CommandRun(["peek", config, "feed"], in: folder)
    #expect(run.status == 1)
    #expect(run.errors.contains("can't read "), "\(run.errors)")
    #expect(run.errors.contains("no message came"), "\(run.errors)")
  }

  @Test func `an unknown source is told with the ones there are`() throws {
    let config = try write(
      ["1"], sources: #"btc = source.stdin {}, eth = source.file { path = "feed.ndjson" }"#)
    let unknown = try CommandRun(["peek", config, "bts"], in: folder)
    #expect(unknown.status == 2)
    #expect(unknown.errors == "pipeline: the configuration has no source 'bts'; did you mean 'btc'?\n")
    let missing = try CommandRun(["peek", config], in: folder)
    #expect(missing.status == 2)
    #expect(missing.errors == "pipeline: name one of the sources: btc, eth\n")
  }

  @Test func `a reader who is gone ends it quietly`() throws {
    let config = try write([], sources: "feed = source.simulated { rate = 1000 }")
    let run = try CommandRun(["peek", config], in: folder, closingOutput: true)
    #expect(run.status == 0, "\(run.errors)")
  }
}
