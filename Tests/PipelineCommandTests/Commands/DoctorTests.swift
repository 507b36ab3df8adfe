import Scripting
import Testing

@Suite(
  "doctor against real servers", .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct DoctorTests {
  private let folder: TemporaryFolder
  private let server: WebFeedServer

  init() throws {
    folder = try TemporaryFolder()
    server = try WebFeedServer(in: folder)
  }

  /// What doctor says of some sources.
  private func examine(_ sources: String, _ options: String...) throws -> (run: CommandRun, steps: [Value]) {
    let config = try folder.write("config.lua", "return { sources = { \(sources) } }")
    let run = try CommandRun(["doctor", config, "--format", "json"] + options, in: folder)
    return (run, try run.output.split(separator: "\n").map { try Value(json: String($0)) })
  }

  private func websocket(_ path: String, _ server: String = "http", _ options: String = "") throws -> String {
    let url = try self.server.url(path, scheme: server == "http" ? "ws" : "wss", server: server)
    return "source.websocket { url = '\(url)', connect_timeout = '500ms', \(options) }"
  }

  private func failed(_ steps: [Value]) -> Value? { steps.first { $0["outcome"]?.text == "failed" } }

  @Test("a feed that works is followed to its first message")
  func good() throws {
    let (run, steps) = try examine("btc = \(websocket("/prices", "trusted", "ca_file = 'trusted.pem'"))")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(steps.compactMap { $0["step"]?.text } == ["connection", "TLS", "upgrade", "first message"])
    #expect(steps.allSatisfy { $0["outcome"]?.text == "ok" && $0["milliseconds"] != nil })
    #expect(steps[1]["finding"]?.text?.contains("trusted.example") == true)
  }

  @Test(
    "each way of failing is told for what it is, with what to do",
    arguments: [
      ("/prices", "expired", "TLS", "has expired on 2020-02-01", "renew"),
      ("/prices", "elsewhere", "TLS", "is for elsewhere.example, not for 127.0.0.1", "write the name"),
      ("/prices", "untrusted", "TLS", "whom nobody here trusts", "ca_file"),
      ("/silent", "http", "first message", "no message came within 1s", "stale_after"),
      ("/busy", "http", "upgrade", "answered 429", "wait 30 s"),
      ("/missing", "http", "upgrade", "answered 404", "path"),
      // The source's own deadline and that of the connection are the same moment.
      ("/prices", "mute", "upgrade", "had not come|no connection within 500ms", "says nothing"),
      ("/prices", "mute wss", "TLS", "no answer to the beginning of TLS", "speak no TLS"),
    ])
  func failures(path: String, name: String, step: String, finding: String, advice: String) throws {
    let trust = ["expired", "elsewhere"].contains(name) ? "ca_file = '\(name).pem'" : ""
    let feed =
      name.hasPrefix("mute")
      ? "source.websocket { url = '\(try server.url(path, scheme: name == "mute" ? "ws" : "wss", server: "mute"))', "
        + "connect_timeout = '500ms' }"
      : try websocket(path, name == "untrusted" ? "trusted" : name, trust)
    let (run, steps) = try examine("btc = \(feed)", "--for", "1s")
    #expect(run.status == 1)
    let found = try #require(failed(steps), "\(run.output)\(run.errors)")
    #expect(found["step"]?.text == step)
    let text = found["finding"]?.text ?? ""
    #expect(finding.split(separator: "|").contains { text.contains($0) }, "\(found)")
    #expect(found["advice"]?.text?.contains(advice) == true, "\(found)")
  }

  @Test("sources of all kinds are looked at side by side, and one that fails is the program's status")
  func sideBySide() throws {
    try folder.write("feed.ndjson", "{\"n\":1}\n")
    let (run, steps) = try examine(
      """
      file = source.file { path = 'feed.ndjson' }, input = source.stdin {}, made = source.simulated {},
      poll = source.http { url = '\(server.url("/same"))' }, stream = source.sse { url = '\(server.url("/events"))' },
      late = source.http { url = '\(server.url("/slow"))', timeout = '500ms' },
      """)
    #expect(run.status == 1)
    let failed = Set(steps.filter { $0["outcome"]?.text == "failed" }.compactMap { $0["source"]?.text })
    #expect(failed == ["late"], "\(run.output)")
    #expect(Set(steps.compactMap { $0["source"]?.text }).count == 6)
    let skipped = steps.first { $0["source"]?.text == "input" }
    #expect(skipped?["outcome"]?.text == "skipped")
  }

  @Test("as text it is a table, and only the sources that are named are in it")
  func table() throws {
    let config = try folder.write(
      "config.lua", "return { sources = { btc = \(websocket("/busy")), eth = source.simulated {} } }")
    let run = try CommandRun(["doctor", config, "btc", "--format", "text"], in: folder)
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "source  step        result  time  finding")
    #expect(lines.contains { $0.contains("FAILED") && $0.contains("429") })
    #expect(lines.contains { $0.contains("→ the server limits how often") })
    #expect(!run.output.contains("eth"))
    let unknown = try CommandRun(["doctor", config, "btv"], in: folder)
    #expect(unknown.status == 2 && unknown.errors.contains("did you mean 'btc'?"))
  }
}
