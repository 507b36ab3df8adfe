import Pipeline
import Testing

@Suite("Replays over stretches, files, tables and two scripts")
struct BacktestTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func tape(_ prices: [Int], source: String = "btc", step: Int = 1_000) -> String {
    prices.enumerated().map { index, price in
      "{\"time\":\(index * step),\"source\":\"\(source)\",\"message\":{\"price\":\(price)}}\n"
    }.joined()
  }

  private func replay(_ words: String...) throws -> CommandRun {
    let config = folder.path("config.lua")
    if !TextFile.exists(config) { _ = try folder.writeProject() }
    return try CommandRun(["replay", config] + words, in: folder)
  }

  @Test func `a stretch of time is replayed alone`() throws {
    let file = try folder.write("tape.ndjson", Self.tape([90, 110, 90, 110, 90, 110]))
    let run = try replay(file, "--from", "1970-01-01 00:00:02", "--to", "1970-01-01T00:00:04Z")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("2 messages in"), "\(run.errors)")
    #expect(run.output.contains(#""from":"1970-01-01T00:00:02.000Z","to":"1970-01-01T00:00:03.000Z""#))
    #expect(try replay(file, "--from", "noon").errors.contains("--from: expected a time in UTC"))
    #expect(try replay(file, "--from", "2026-01-02", "--to", "2026-01-01").status == 2)
  }

  @Test func `several files are one, in order of time`() throws {
    let config = try folder.writeProject(
      sources: "btc = source.simulated {}, eth = source.simulated {}",
      from: "{ price = \"btc\", other = \"eth\" }",
      script: TemporaryFolder.script.replacing(
        "return M", with: "function M.on.other(state, m) log.info(m.price, 'after', state.price) end return M"
      ))
    let btc = try folder.write("btc.ndjson", Self.tape([90, 110, 120]))
    let eth = try folder.write("eth.ndjson", Self.tape([1, 2, 3], source: "eth", step: 700))
    let run = try CommandRun(["replay", config, eth, btc], in: folder)
    #expect(run.errors.contains("1 after 0\n"), "\(run.errors)")
    #expect(run.errors.contains("2 after 90"), "\(run.errors)")
    #expect(run.errors.contains("3 after 110"), "\(run.errors)")
    #expect(run.errors.contains("6 messages in"), "\(run.errors)")
  }

  @Test func `tables of several sources carry their times`() throws {
    let config = try folder.writeProject(sources: "btc = source.simulated {}, eth = source.simulated {}")
    let table = try folder.write("btc.csv", "time;price\n1767225600;90\n1767225605;110.5\nbad\n")
    let run = try CommandRun(
      ["replay", config, "btc=\(table)", "--csv", "--time-field", "time"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#""time":"2026-01-01T00:00:05.000Z","kind":"firing""#), "\(run.output)")
    #expect(
      run.errors.contains("line 4 is skipped: expected 2 cells as in the header, got 1"), "\(run.errors)")
    let unnamed = try CommandRun(["replay", config, table, "--csv", "--time-field", "time"], in: folder)
    #expect(unnamed.status == 2)
    #expect(unnamed.errors.contains("name one with --source, or as in btc=FILE"), "\(unnamed.errors)")
    let timeless = try CommandRun(["replay", config, table, "--csv"], in: folder)
    #expect(timeless.errors.contains("--time-field COLUMN"), "\(timeless.errors)")
  }

  @Test func `the last line of JSON counts alerts by rule and key, and two replays are the same`() throws {
    let config = try folder.writeProject(
      script: TemporaryFolder.script.replacing("M.on = {}", with: "M.key = \"symbol\" M.on = {}"))
    var lines = ""
    for index in 0..<40_000 {
      lines += "{\"symbol\":\"S\(index % 3)\",\"price\":\((index * 7_919) % 200)}\n"
    }
    let file = try folder.write("prices.ndjson", lines)
    let run = try CommandRun(["replay", config, file, "--interval", "10ms"], in: folder)
    let last = try #require(run.output.split(separator: "\n").last)
    #expect(last.contains(#"{"script":"watch","name":"over","key":"S1","firing":"#), "\(last)")
    #expect(run.errors.contains("watch: over [S1]: "), "\(run.errors)")
    #expect(try CommandRun(["replay", config, file, "--interval", "10ms"], in: folder).output == run.output)
  }

  @Test func `another script is compared, alert by alert`() throws {
    let file = try folder.write("tape.ndjson", Self.tape([90, 105, 120, 90, 130, 90, 102, 90]))
    let other = try folder.write(
      "other.lua", TemporaryFolder.script.replacing("crosses_above = 100", with: "crosses_above = 110"))
    let run = try replay(file, "--compare", other, "--format", "text")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("moved  +1s  1970-01-01T00:00:02.000Z  info"), "\(run.output)")
    #expect(run.output.contains("gone   1970-01-01T00:00:06.000Z"), "\(run.output)")
    #expect(run.errors.contains("1 moved"), "\(run.errors)")
    let same = try replay(file, "--compare", folder.path("watch.lua"))
    #expect(same.output.contains(#"{"comparison":{"new":0,"gone":0,"moved":0,"#), "\(same.output)")
    let configuration = try replay(file, "--compare", folder.path("config.lua"))
    #expect(configuration.output == same.output)
    let broken = try folder.write("broken.lua", "return {")
    #expect(
      try replay(file, "--compare", broken).errors.contains("broken.lua:1"), "a fault is told with its line")
    #expect(try replay("-", "--compare", other).errors.contains("reads the files twice"))
  }

  @Test func `what would have left is kept in files`() throws {
    let config = try folder.writeProject(
      script: TemporaryFolder.script.replacing(
        "over:check(state.price)",
        with: "over:check(state.price) effect.publish('bars', { p = state.price })"
      ),
      rest: "channels = { screen = channel.console {}, bars = channel.file { path = \"bars.ndjson\" } },")
    let file = try folder.write("tape.ndjson", Self.tape([90, 110]))
    let kept = folder.path("kept")
    for _ in 0..<2 {
      let run = try CommandRun(["replay", config, file, "--publish", kept], in: folder)
      #expect(run.status == 0, "\(run.errors)")
      #expect(folder.read("\(kept)/channels/bars.ndjson").contains("{\"p\":90.0}\n{\"p\":110.0}\n"))
      #expect(folder.read("\(kept)/channels/screen.ndjson").contains("\"name\":\"over\""))
    }
    #expect(!TextFile.exists(folder.path("bars.ndjson")))
  }

  @Test func `a picture shows values, levels and alerts, and is the same each time`() throws {
    let file = try folder.write("tape.ndjson", Self.tape((0..<500).map { 100 + ($0 * 37) % 60 - 30 }))
    let picture = folder.path("picture.svg")
    let run = try replay(file, "--plot", picture)
    #expect(run.status == 0, "\(run.errors)")
    let first = folder.read(picture)
    for part in [
      "<svg", "watch: over", "500 values", "crosses above 100", "class=\"series\"", "class=\"firing\"",
      "</svg>",
    ] {
      #expect(first.contains(part), "\(part)")
    }
    _ = try replay(file, "--plot", picture)
    #expect(folder.read(picture) == first)
    #expect(try replay(file, "--plot", picture, "--rule", "ovr").errors.contains("did you mean 'over'?"))
    #expect(try replay(file, "--plot", picture, "--key", "none").errors.contains("nothing to plot"))
  }

  @Test func `at a given speed it takes its time, and a signal ends it with the summary`() throws {
    let config = try folder.writeProject()
    let file = try folder.write("tape.ndjson", Self.tape([90, 110, 90, 110]))
    let quick = try CommandRun(["replay", config, file, "--speed", "1000"], in: folder)
    #expect(quick.errors.contains("4 messages in"), "\(quick.errors)")
    let slow = try RunningCommand(["replay", config, file, "--speed", "0.001"], in: folder)
    // Signals are listened to before anything is played.
    try slow.wait(until: { Self.isListening(slow.identifier) }, "a handler for SIGINT")
    slow.send(signal: 2)
    let run = try slow.finish()
    #expect(run.status == 0)
    #expect(run.errors.contains("it was interrupted"), "\(run.errors)")
    #expect(try CommandRun(["replay", config, file, "--speed", "0"], in: folder).status == 2)
  }

  /// Whether a process catches SIGINT (proc(5), SigCgt).
  private static func isListening(_ process: Int32) -> Bool {
    guard let status = try? TextFile.read("/proc/\(process)/status", maximumBytes: 1 << 16) else {
      return false
    }
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") }) else {
      return false
    }
    return UInt64(line.dropFirst(7).drop { $0 == "\t" }, radix: 16).map { $0 & 2 != 0 } ?? false
  }
}
