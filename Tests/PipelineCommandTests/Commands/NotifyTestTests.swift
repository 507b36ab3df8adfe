import Pipeline
import Testing

@Suite("pipeline notify-test")
struct NotifyTestTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func project(_ channels: String) throws -> String {
    try folder.writeProject(rest: "channels = { \(channels) },")
  }

  @Test("each channel gets a marked drill, and what it answers is shown with the time it took")
  func drill() throws {
    let path = try project(
      "log = channel.file { path = \"alerts.ndjson\" }, "
        + "phone = channel.webhook { url = \"http://127.0.0.1:1/s3cret\", fallback = \"log\" }")
    let run = try CommandRun(["notify-test", path, "--format", "text"], in: folder)
    #expect(run.status == 1 && run.errors.isEmpty)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("log: delivered (") && lines[0].hasSuffix(" ms)"))
    #expect(
      lines[1].hasPrefix(
        "phone: not delivered, to be tried again: cannot connect to http://127.0.0.1:1 (port 1): "
          + "Connection refused ("))
    #expect(lines[1].hasSuffix(" ms); its alerts would go to 'log'"))
    let alert = folder.read(folder.path("alerts.ndjson"))
    #expect(alert.contains("\"name\":\"drill\"") && alert.contains("\"labels\":{\"drill\":\"true\"}"))
    #expect(alert.contains("DRILL: a test of the channel 'log'; nothing has happened"))
  }

  @Test("one channel can be tried alone, and the answer be JSON")
  func one() throws {
    let path = try project(
      "log = channel.file { path = \"alerts.ndjson\" }, "
        + "desk = channel.desktop { command = \"/no/such/program\" }")
    let good = try CommandRun(["notify-test", path, "log"], in: folder)
    #expect(good.status == 0)
    #expect(good.output.hasPrefix("{\"channel\":\"log\",\"milliseconds\":"))
    #expect(good.output.hasSuffix(",\"outcome\":\"delivered\"}\n"))
    let bad = try CommandRun(["notify-test", path, "desk"], in: folder)
    #expect(
      bad.status == 1 && bad.output.contains("\"outcome\":\"failed\",\"reason\":\"can't start /no/such"))
  }

  @Test("a channel that doesn't exist, a secret that isn't set, and no channels at all are wrong usage")
  func wrongUsage() throws {
    let path = try project(
      "log = channel.file { path = \"a.ndjson\" }, hook = channel.webhook { url = env \"PIPELINE_NOT_SET\" }")
    let unknown = try CommandRun(["notify-test", path, "lug"], in: folder)
    #expect(unknown.status == 2)
    #expect(unknown.errors == "pipeline: the configuration has no channel 'lug'; did you mean 'log'?\n")
    let unset = try CommandRun(["notify-test", path, "hook"], in: folder)
    #expect(unset.status == 2)
    #expect(
      unset.errors.contains("the environment variable PIPELINE_NOT_SET is not set; set it before the start"))
  }
}
