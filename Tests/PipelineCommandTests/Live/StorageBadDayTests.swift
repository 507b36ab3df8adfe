import Glibc
import Testing

@Suite("A bad day of a storage or a folder")
struct StorageBadDayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func writeProject(_ script: String = TemporaryFolder.countMessages, file: String = "state.db")
    throws -> String
  {
    try folder.writeLive(
      feed: "source.stdin {}", script: script, rest: "storage = storage.sqlite { file = '\(file)' }")
  }

  private func run(_ config: String, _ input: String) throws -> CommandRun {
    let run = try RunningCommand(["run", config], in: folder, hasInput: true)
    try run.write(input)
    run.closeInput()
    return try run.finish()
  }

  /// Claims that a run ended before it began, with 1 and one sentence.
  private func expectRefusal(_ run: CommandRun, _ words: [String]) {
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    for word in ["pipeline: "] + words { #expect(run.errors.contains(word), "\(run.errors)") }
  }

  @Test("a file channel without its folder is refused with the folder's name")
  func missingFolder() throws {
    let config = try folder.writeLive(
      feed: "source.stdin {}", channel: "channel.file { path = 'missing/alerts.ndjson' }")
    expectRefusal(
      try run(config, "{\"n\":1}\n"), ["the folder '\(folder.root)/missing'", "does not exist", "make it"])
  }

  @Test("a storage without its folder is refused with the folder's name")
  func missingStorageFolder() throws {
    expectRefusal(
      try run(writeProject(file: "missing/state.db"), "{}\n"),
      ["the folder '\(folder.root)/missing'", "does not exist", "make it"])
  }

  @Test("a folder in place of the storage's file is refused, and stays as it is")
  func folderInPlace() throws {
    mkdir(folder.path("state.db"), 0o700)
    expectRefusal(try run(writeProject(), "{}\n"), ["state.db' is not a regular file"])
  }

  @Test("a read-only storage is refused, and goes on where it was once it can be written")
  func readOnlyFile() throws {
    let config = try writeProject()
    #expect(try AlertLine.all(run(config, "{}\n{}\n").output).map(\.text) == ["count 1.", "count 2."])
    chmod(folder.path("state.db"), 0o444)
    expectRefusal(try run(config, "{}\n"), ["state.db' is read-only", "make it writable"])
    chmod(folder.path("state.db"), 0o644)
    #expect(try AlertLine.all(run(config, "{}\n").output).map(\.text) == ["count 3."])
  }

  @Test(
    "a folder on a read-only disk is refused, and the storage goes on where it was afterwards",
    .enabled(if: MountNamespace.isAvailable, Comment(rawValue: MountNamespace.reason)))
  func readOnlyFolder() throws {
    let config = try writeProject()
    #expect(try AlertLine.all(run(config, "{}\n").output).map(\.text) == ["count 1."])
    let refused = try MountNamespace.run(
      "mount --bind \"$0\" \"$0\"; mount -o remount,bind,ro \"$0\"; exec \"$@\"",
      [folder.root, CommandRun.program, "run", config], in: folder)
    expectRefusal(refused, ["state.db", "make"])
    #expect(try AlertLine.all(run(config, "{}\n").output).map(\.text) == ["count 2."])
  }

  @Test(
    "on a full disk the run ends with 1 and says so; what left is stored, and the next run gives the rest",
    .enabled(if: MountNamespace.isAvailable, Comment(rawValue: MountNamespace.reason)))
  func fullDisk() throws {
    let keyCount = 150
    let padding = String(repeating: "x", count: 1_000)
    let lines = (0..<2 * keyCount).map { "{\"key\":\"k\($0 % keyCount)\",\"pad\":\"\(padding)\($0)\"}\n" }
    try folder.write("feed.ndjson", lines.joined())
    let config = try folder.writeLive(
      feed: "source.file { path = 'feed.ndjson' }", script: Self.keepPadding,
      rest: "storage = storage.sqlite { file = 'disk/state.db' }")
    for name in ["disk", "kept"] { mkdir(folder.path(name), 0o700) }
    let first = try MountNamespace.run(
      "cd \"$0\"; mount -t tmpfs -o size=256k none disk; code=0; \"$@\" || code=$?; cp disk/* kept; exit $code",
      [folder.root, CommandRun.program, "run", config], in: folder)
    #expect(first.status == 1)
    #expect(first.errors.contains("disk/state.db': the disk is full; free some space"), "\(first.errors)")
    var alerts = try AlertLine.all(first.output)
    #expect(alerts.contains { $0.name == "storage failing" })
    rmdir(folder.path("disk"))
    rename(folder.path("kept"), folder.path("disk"))
    let second = try CommandRun(["run", config], in: folder)
    #expect(second.status == 0, "\(second.errors)")
    alerts = (alerts + (try AlertLine.all(second.output))).filter { $0.name == "seen" }
    let expected = (0..<keyCount).flatMap { ["k\($0) 1", "k\($0) 2"] }
    #expect(Set(alerts.map(\.text)) == Set(expected))
    #expect(Set(alerts).count == expected.count, "the same alert has the same id")
  }

  @Test(
    "while the disk is full that is told in one sentence and the feed goes on; all is stored once there is space",
    .enabled(if: MountNamespace.isAvailable, Comment(rawValue: MountNamespace.reason)))
  func diskFullForAWhile() throws {
    let config = try writeProject(Self.keepPadding, file: "disk/state.db")
    mkdir(folder.path("disk"), 0o700)
    // The disk is full but for what the storage needs at its start, until the test makes a file.
    let line = """
      cd "$0"; mount -t tmpfs -o size=1m none disk; head -c 700000 /dev/zero >disk/filler
      (until [ -e space ]; do sleep 0.05; done; rm disk/filler; touch freed) &
      code=0; "$@" || code=$?; wait; cp disk/state.db* kept; exit $code
      """
    mkdir(folder.path("kept"), 0o700)
    let run = try RunningCommand(
      program: "/usr/bin/unshare",
      ["--map-root-user", "--mount", "sh", "-e", "-c", line, folder.root, CommandRun.program, "run", config],
      in: folder, hasInput: true)
    let padding = String(repeating: "x", count: 1_000)
    func message(_ number: Int) -> String { "{\"key\":\"k\(number)\",\"pad\":\"\(padding)\(number)\"}\n" }
    func isRefused() -> Bool { run.text(.errors).contains("the disk is full") }
    var count = 0
    while !isRefused() {
      count += 1
      try #require(count < 2_000, "the disk is never full")
      try run.write(message(count))
      try run.wait(
        until: { isRefused() || run.text(.output).contains("k\(count) 1") }, "an alert or a failure")
    }
    try run.wait(for: "storage failing", in: .output)
    try run.write(message(count + 1))
    try folder.write("space", "")
    try run.wait(for: "writing works again")
    run.closeInput()
    let end = try run.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.errors.occurrences(of: "the disk is full; free some space, nothing is lost so far") == 1)
    let seen = try AlertLine.all(end.output).filter { $0.name == "seen" }
    #expect(seen.map(\.text) == (1...count + 1).map { "k\($0) 1" })
    rmdir(folder.path("disk"))
    rename(folder.path("kept"), folder.path("disk"))
    #expect(try AlertLine.all(self.run(config, message(1)).output).map(\.text) == ["k1 2"])
  }

  @Test("a file that may not grow is told of, the feed goes on, and everything is stored once it may")
  func boundedFile() throws {
    let config = try writeProject(Self.keepPadding)
    let run = try RunningCommand(
      ["run", config], in: folder, hasInput: true, bounds: CommandBounds(fileBytes: 200_000))
    let padding = String(repeating: "x", count: 1_000)
    func message(_ number: Int) -> String { "{\"key\":\"k\(number)\",\"pad\":\"\(padding)\(number)\"}\n" }
    func isRefused() -> Bool { run.text(.errors).contains("File too large") }
    var count = 0
    while !isRefused() {
      count += 1
      try #require(count < 1_000, "the storage has no bound")
      try run.write(message(count))
      try run.wait(
        until: { isRefused() || run.text(.output).contains("k\(count) 1") }, "an alert or a failure")
    }
    try run.wait(for: "storage failing", in: .output)
    try run.write(message(count + 1))
    try run.liftFileBound(in: folder)
    try run.wait(for: "writing works again")
    run.closeInput()
    let end = try run.finish()
    #expect(end.status == 0, "\(end.errors)")
    let seen = try AlertLine.all(end.output).filter { $0.name == "seen" }
    #expect(seen.map(\.text) == (1...count + 1).map { "k\($0) 1" })
    let again = try self.run(config, message(1))
    #expect(try AlertLine.all(again.output).map(\.text) == ["k1 2"])
  }

  private static let keepPadding = """
    local M = {}
    M.key = "key"
    M.state = { count = 0, pad = "" }
    M.on = {}
    function M.on.feed(state, message, ctx)
      state.count, state.pad = state.count + 1, message.pad
      alert.send { name = "seen", text = ctx.key .. " " .. state.count }
    end
    return M
    """
}
