import Glibc
import Testing

@Suite("Stopping a live run")
struct StopTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(_ config: String, output: RunningCommand.OutputUse = .read) throws -> RunningCommand {
    try RunningCommand(["run", config], in: folder, hasInput: true, output: output)
  }

  @Test(
    "a signal ends it with 0 within 5 s, and what no alert had stored yet is stored",
    arguments: [SIGINT, SIGTERM])
  func signals(number: Int32) throws {
    let config = try folder.writeLive(
      feed: "source.stdin {}",
      script: """
        local M = {}
        M.state = { count = 0 }
        M.on = {}
        function M.on.feed(state)
          state.count = state.count + 1
          log.info("count " .. state.count .. ".")
        end
        return M
        """, rest: "storage = storage.sqlite { file = 'state.db' }")
    let first = try start(config)
    try first.write("{}\n{}\n{}\n")
    try first.wait(for: "count 3.")
    let begin = ContinuousClock.now
    first.send(signal: number)
    #expect(try first.finish().status == 0)
    #expect(ContinuousClock.now - begin < .seconds(5))
    let second = try start(config)
    try second.write("{}\n")
    second.closeInput()
    let end = try second.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.errors.contains("count 4."), "\(end.errors)")
  }

  @Test("a standard input that gives nothing holds nothing up")
  func silentInput() throws {
    let run = try start(folder.writeLive(feed: "source.stdin {}"))
    try run.wait(for: "feed: connected")
    let begin = ContinuousClock.now
    run.send(signal: SIGTERM)
    #expect(try run.finish().status == 0)
    #expect(ContinuousClock.now - begin < .seconds(3), "there is nothing to wait for")
  }

  @Test(
    "alerts that a full disk holds up are counted at the end, and delivered by the next run under their id")
  func undelivered() throws {
    let storage = "storage = storage.sqlite { file = 'state.db' }"
    let full = try folder.writeLive(
      feed: "source.stdin {}", channel: "channel.file { path = '/dev/full' }", rest: storage)
    let first = try start(full)
    try first.write("{\"n\":1}\n{\"n\":2}\n")
    try first.wait(for: "No space left on device")
    first.send(signal: SIGTERM)
    let end = try first.finish()
    #expect(end.status == 0)
    #expect(end.errors.contains("2 alerts could not be delivered yet"), "\(end.errors)")
    unlink(full)
    unlink(folder.path("watch.lua"))
    let second = try start(folder.writeLive(feed: "source.stdin {}", rest: storage))
    try second.wait(for: "message 2.", in: .output)
    second.closeInput()
    let alerts = try AlertLine.all(second.finish().output)
    #expect(alerts.map(\.text) == ["message 1.", "message 2."])
    #expect(Set(alerts.map(\.id)).count == 2)
  }

  @Test("a second signal ends it at once, whatever still waits")
  func secondSignal() throws {
    let run = try start(
      folder.writeLive(feed: "source.stdin {}", channel: "channel.file { path = '/dev/full' }"))
    try run.write("{\"n\":1}\n")
    try run.wait(for: "No space left on device")
    run.send(signal: SIGTERM)
    try run.wait(for: "the program ends")
    run.send(signal: SIGINT)
    #expect(try run.finish().status == -SIGINT)
  }

  @Test("a reader of its output who has stopped reading does not hold up its end")
  func stuckOutput() throws {
    let run = try start(folder.writeLive(feed: "source.stdin {}"), output: .stuck)
    try run.write("{\"n\":1}\n")
    try run.wait(for: "feed: connected")
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(end.errors.contains("1 alert could not be delivered yet"), "\(end.errors)")
  }
}
