import Pipeline
import Testing

@Suite("pipeline alerts")
struct AlertsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("after a run it lists what was delivered and the dead letters with their reasons")
  func list() throws {
    let input = try folder.write("prices.ndjson", "{\"price\":99}\n{\"price\":101}\n")
    let path = try folder.writeProject(
      sources: "btc = source.file { path = \"\(input)\" }",
      rest: "channels = { log = channel.file { path = \"alerts.ndjson\" }, "
        + "desk = channel.desktop { command = \"/no/such/program\" } }, "
        + "routes = { { to = { \"log\", \"desk\" } } }, storage = storage.sqlite { file = \"kept.db\" },")
    let before = try CommandRun(["alerts", path, "--format", "text"], in: folder)
    #expect(before.status == 1 && before.errors.contains("there is no storage file"))
    #expect(try CommandRun(["run", path, "--for", "20s"], in: folder).status == 0)

    let all = try CommandRun(["alerts", path, "--format", "text"], in: folder)
    #expect(all.status == 0)
    #expect(all.output.contains("  delivered  log  over: over: crossed above 100 (last value 101)"))
    let failed = try CommandRun(["alerts", path, "--failed"], in: folder)
    #expect(failed.output.split(separator: "\n").count == 1)
    #expect(
      failed.output.contains("\"outcome\":\"failed\"") && failed.output.contains("\"channel\":\"desk\""))
    #expect(failed.output.contains("\"reason\":\"can't start /no/such/program: No such file or directory"))
  }
}
