import Glibc
import Testing

@Suite(
  "A storage that another program has locked",
  .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct LockedStorageTests {
  private let folder: TemporaryFolder
  private let config: String

  /// Makes a storage that has counted one message.
  init() throws {
    folder = try TemporaryFolder()
    config = try folder.writeLive(
      feed: "source.stdin {}", script: TemporaryFolder.countMessages,
      rest: "storage = storage.sqlite { file = 'state.db' }")
    let run = try start()
    try run.write("{}\n")
    run.closeInput()
    #expect(try AlertLine.all(run.finish().output).map(\.text) == ["count 1."])
  }

  private func start() throws -> RunningCommand {
    try RunningCommand(["run", config], in: folder, hasInput: true)
  }

  private func lock(_ extent: String) throws -> RunningCommand {
    let arguments = [FeedServer.script("lock.py"), folder.path("state.db"), extent]
    let lock = try RunningCommand(program: FeedServer.python ?? "", arguments, in: folder, hasInput: true)
    try lock.wait(for: "locked\n", in: .output)
    return lock
  }

  private func unlock(_ lock: RunningCommand) throws {
    lock.closeInput()
    #expect(try lock.finish().status == 0)
  }

  @Test("what was held up is stored and delivered once it is free, although its time had passed")
  func freed() throws {
    let lock = try lock("write")
    let run = try start()
    try run.write("{}\n")
    try run.wait(for: "another process keeps it locked")
    try unlock(lock)
    try run.wait(for: "writing works again")
    run.closeInput()
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(try AlertLine.all(end.output).contains { $0.text == "count 2." })
  }

  @Test("a signal ends the run within 5 s with 1, and says what could not be stored")
  func stopped() throws {
    let lock = try lock("write")
    let run = try start()
    try run.write("{}\n")
    try run.wait(for: "feed: connected")
    let begin = ContinuousClock.now
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(ContinuousClock.now - begin < .seconds(5))
    #expect(end.status == 1)
    #expect(end.errors.contains("state.db': another process keeps it locked"), "\(end.errors)")
    try unlock(lock)
    let next = try start()
    try next.write("{}\n")
    next.closeInput()
    #expect(try AlertLine.all(next.finish().output).map(\.text) == ["count 2."])
  }

  @Test("a second signal ends the run at once, although the storage is still at its last commit")
  func secondSignal() throws {
    let lock = try lock("write")
    let run = try start()
    try run.write("{}\n")
    try run.wait(for: "feed: connected")
    run.send(signal: SIGTERM)
    try run.wait(for: "the program ends")
    run.send(signal: SIGTERM)
    #expect(try run.finish().status == -SIGTERM)
    try unlock(lock)
    let next = try start()
    try next.write("{}\n")
    next.closeInput()
    #expect(try AlertLine.all(next.finish().output).map(\.text) == ["count 2."])
  }

  @Test("an input that ends meanwhile ends the run with 1, since its last changes could not be stored")
  func endOfInput() throws {
    try folder.write(
      "quiet.lua", "return { state = { count = 0 }, on = { feed = function(s) s.count = 7 end } }")
    try folder.write(
      "quiet_config.lua",
      """
      return { sources = { feed = source.stdin {} }, scripts = { quiet = { file = "quiet.lua", from = { "feed" } } },
        storage = storage.sqlite { file = "state.db" } }
      """)
    let lock = try lock("write")
    let run = try RunningCommand(["run", folder.path("quiet_config.lua")], in: folder, hasInput: true)
    try run.write("{}\n")
    run.closeInput()
    let end = try run.finish()
    #expect(end.status == 1)
    #expect(end.errors.contains("state.db': another process keeps it locked"), "\(end.errors)")
    try unlock(lock)
  }

  @Test("a signal ends a start that waits for it, within 5 s with 1")
  func stoppedAtStart() throws {
    let lock = try lock("everything")
    let run = try start()
    try lock.wait(for: "claimed", in: .output)
    let begin = ContinuousClock.now
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(ContinuousClock.now - begin < .seconds(5))
    #expect(end.status == 1)
    #expect(end.errors.contains("state.db': another process keeps it locked"), "\(end.errors)")
    #expect(!end.errors.contains("connected"))
    try unlock(lock)
  }
}
