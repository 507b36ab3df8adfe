import Glibc
import Testing

@testable import Pipeline

@Suite("Console channel")
struct ConsoleChannelTests {
  private let alert = Alert(
    id: "00ff", name: "over level", script: "btc", key: "BTC", severity: .critical,
    text: "bitcoin at 70010.00",
    time: Timestamp(milliseconds: 1_796_009_069_250), value: 70_010.5, labels: ["b": "2", "a": "1"])

  /// What a channel writes for an alert into a pipe.
  private func written(
    _ alert: Alert, format: ConsoleChannel.Format?, colour: Bool? = nil
  ) async throws -> String {
    let pipe = try Pipe()
    let channel = try ConsoleChannel(
      name: "screen", descriptor: pipe.writing, format: format, colour: colour)
    #expect(await channel.deliver(alert, id: "00ff-screen") == .delivered)
    return pipe.read()
  }

  @Test("Where nobody looks, an alert is one line of JSON with its keys in a fixed order")
  func json() async throws {
    let line = try await written(alert, format: nil)
    #expect(
      line
        == #"{"time":"2026-11-30T03:24:29.250Z","kind":"firing","severity":"critical","script":"btc","#
        + #""name":"over level","key":"BTC","text":"bitcoin at 70010.00","value":70010.5,"#
        + #""labels":{"a":"1","b":"2"},"id":"00ff-screen"}"# + "\n")
  }

  @Test("An alert without a value has null for it")
  func noValue() async throws {
    var alert = alert
    alert.value = nil
    alert.labels = [:]
    #expect(try await written(alert, format: .json).contains(#""value":null,"labels":{},"#))
  }

  @Test("In text an alert is one plain line, with colour only if wanted")
  func text() async throws {
    #expect(
      try await written(alert, format: .text)
        == "2026-11-30T03:24:29.250Z  critical  over level [BTC]: bitcoin at 70010.00\n")
    #expect(
      try await written(alert, format: .text, colour: true)
        == "2026-11-30T03:24:29.250Z  \u{1b}[1;31mcritical\u{1b}[0m  over level [BTC]: bitcoin at 70010.00\n")
    var resolved = alert
    resolved.kind = .resolved
    resolved.key = ""
    #expect(
      try await written(resolved, format: .text)
        == "2026-11-30T03:24:29.250Z  resolved  over level: bitcoin at 70010.00\n")
    resolved.kind = .reminder
    #expect(try await written(resolved, format: .text).hasSuffix(": bitcoin at 70010.00 (reminder)\n"))
  }

  @Test("A terminal gets text without being asked")
  func terminal() async throws {
    var terminal: Int32 = -1
    var device: Int32 = -1
    try #require(openpty(&terminal, &device, nil, nil, nil) == 0)
    let channel = try ConsoleChannel(name: "screen", descriptor: device, colour: false)
    #expect(await channel.deliver(alert, id: "1") == .delivered)
    var bytes = [UInt8](repeating: 0, count: 500)
    let count = read(terminal, &bytes, bytes.count)
    let line = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    #expect(line.hasPrefix("2026-11-30T03:24:29.250Z  critical  over level"))
    close(device)
    close(terminal)
  }

  @Test(
    "A feed can't drive the terminal, whichever part of the alert it gets into",
    arguments: [
      ("\u{1b}]0;title\u{7}", #"\u{1b}]0;title\u{7}"#), ("a\r\nb\tc", #"a\r\nb\tc"#),
      ("\u{9b}31m", #"\u{9b}31m"#), ("\u{202e}txt.exe", #"\u{202e}txt.exe"#), ("\0\u{7f}", #"\u{0}\u{7f}"#),
      ("e\u{301} 🐈 ключ", "e\u{301} 🐈 ключ"),
    ])
  func escapes(text: String, shown: String) async throws {
    let hostile = Alert(id: "1", name: text, script: "s", key: text, text: text, time: alert.time)
    let line = try await written(hostile, format: .text)
    #expect(line == "2026-11-30T03:24:29.250Z  info      \(shown) [\(shown)]: \(shown)\n")
  }

  @Test("A reader who went away is told as such, and nothing else happens")
  func closed() async throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = try Pipe()
    pipe.closeReading()
    let channel = try ConsoleChannel(name: "screen", descriptor: pipe.writing, format: .json)
    let outcome = await channel.deliver(alert, id: "1")
    #expect(outcome == .failed(reason: "standard output was closed"))
    #expect(outcome == ConsoleChannel.outputClosed)
  }

  @Test("A line longer than the pipe is written whole, also to a descriptor that doesn't block")
  func longLine() async throws {
    let pipe = try Pipe()
    fcntlNonBlocking(pipe.writing)
    var alert = alert
    alert.text = String(repeating: "0123456789", count: 50_000)
    let channel = try ConsoleChannel(name: "screen", descriptor: pipe.writing, format: .json)
    async let outcome = channel.deliver(alert, id: "1")
    let line = await Task.detached { pipe.readLine() }.value
    #expect(await outcome == .delivered)
    #expect(line == String(decoding: alert.jsonLine(id: "1"), as: UTF8.self))
  }

  /// A full pipe must not be waited for in the kernel, as a shell may leave its output that way.
  private func fcntlNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }
}
