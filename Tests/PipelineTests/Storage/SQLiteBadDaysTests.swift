import Glibc
import Testing

@testable import Pipeline

@Suite("SQLite storage on bad days")
struct SQLiteBadDaysTests {
  private let folder = StorageFolder()
  private var path: String { folder.file("state.db") }

  private func options() -> SQLiteStorage.Options {
    var options = SQLiteStorage.Options()
    options.now = { Timestamp(milliseconds: 1_796_009_069_000) }
    options.busyTimeout = 0
    return options
  }

  /// The error that loading a file gives.
  private func failure(_ path: String) async throws -> StorageError? {
    let storage = try SQLiteStorage(file: path, options: options())
    let error = await #expect(throws: StorageError.self) { _ = try await storage.load() }
    await storage.close()
    return error
  }

  /// A stored file with 2,000 states, closed.
  private func makeStored() async throws {
    let storage = try SQLiteStorage(file: path)
    try await storage.commit(.states((0..<2_000).map { ("key\($0)", "{\"price\":\($0)}") }))
    await storage.close()
  }

  @Test("A missing folder is named, and nothing is made")
  func missingFolder() async throws {
    let error = try await failure(folder.file("no/such/state.db"))
    #expect(error?.kind == .missingFolder)
    #expect(
      error?.description
        == "the folder '\(folder.path)/no/such' of the storage file '\(folder.path)/no/such/state.db' "
        + "does not exist; make it or name another file")
    #expect(folder.names() == [])
  }

  @Test("A path to a folder is refused")
  func directory() async throws {
    #expect(try await failure(folder.path)?.kind == .foreign)
  }

  @Test("A read-only file is refused and not touched, even for root")
  func readOnly() async throws {
    try await makeStored()
    let before = folder.read("state.db")
    chmod(path, 0o444)
    let error = try await failure(path)
    #expect(error?.kind == .readOnly)
    #expect(
      error?.description == "the storage file '\(path)' is read-only; make it writable or name another file")
    #expect(folder.read("state.db") == before)
  }

  @Test(
    "A file that is no database is refused and not touched",
    arguments: [
      "return { sources = {} }", "x", "SQLite is nice", String(repeating: "log line ", count: 900),
    ])
  func notADatabase(content: String) async throws {
    folder.write("state.db", content.utf8)
    let error = try await failure(path)
    #expect(error?.kind == .foreign)
    #expect(error?.description == "the storage file '\(path)' is not a SQLite database; name another file")
    #expect(folder.read("state.db") == Array(content.utf8))
    #expect(folder.names() == ["state.db"])
  }

  @Test("Another program's database is refused and not touched", arguments: [0, 7])
  func otherProgram(applicationID: Int) async throws {
    do {
      let other = try SQLiteConnection(path: path, patience: StoragePatience(0))
      try other.execute("PRAGMA application_id = \(applicationID); CREATE TABLE bookmarks (url)")
    }
    let error = try await failure(path)
    #expect(error?.kind == .foreign)
    #expect(error?.description.contains("is a database of another program") == true)
    let other = try SQLiteConnection(path: path, patience: StoragePatience(0))
    #expect(try other.integer("SELECT count(*) FROM bookmarks") == 0)
  }

  /// Ways in which a stored file is found damaged.
  enum Damage: CaseIterable, Sendable {
    case cutShort, cutInHeader, zeros, garbageInside

    func apply(to content: [UInt8]) -> [UInt8] {
      switch self {
      case .cutShort: return Array(content.prefix(content.count / 2))
      case .cutInHeader: return Array(content.prefix(60))
      case .zeros: return [UInt8](repeating: 0, count: content.count)
      case .garbageInside:
        var damaged = content
        for index in stride(from: 4_096, to: damaged.count, by: 3) { damaged[index] = UInt8(index & 0xff) }
        return damaged
      }
    }
  }

  @Test("A damaged file is kept aside, whole, and the start is loud and empty", arguments: Damage.allCases)
  func damaged(damage: Damage) async throws {
    try await makeStored()
    let content = damage.apply(to: folder.read("state.db"))
    folder.write("state.db", content)
    let kept = "state.db.unreadable-20261130T032429Z"
    folder.write(kept, "an earlier one".utf8)

    let storage = try SQLiteStorage(file: path, options: options())
    let snapshot = try await storage.load()
    #expect(snapshot.states.isEmpty)
    #expect(snapshot.notices.count == 1)
    #expect(snapshot.notices.first?.keptAside == "\(folder.path)/\(kept)-2")
    let message = snapshot.notices.first?.message
    #expect(message?.contains("the storage file '\(path)' can't be read (") == true)
    #expect(message?.contains { $0.isNewline || $0 == "*" } == false, "one plain sentence: \(message ?? "")")
    try await storage.commit(.states([("a", "1")]))
    await storage.close()

    #expect(folder.read(kept) == Array("an earlier one".utf8))
    #expect(folder.read("\(kept)-2") == content)
    let again = try SQLiteStorage(file: path, options: options())
    let second = try await again.load()
    #expect(second.stateTexts == ["tracker/a": "1"])
    #expect(second.notices.isEmpty)
    await again.close()
  }

  @Test("A look from outside into a damaged file says what to do, and changes nothing")
  func damagedLook() async throws {
    try await makeStored()
    let content = Damage.garbageInside.apply(to: folder.read("state.db"))
    folder.write("state.db", content)
    let reader = try StorageReader(file: path)
    let error = #expect(throws: StorageError.self) { _ = try reader.states(script: "tracker") }
    #expect(error?.kind == .unreadable)
    #expect(
      error?.description.hasSuffix("start the program, which keeps it aside and goes on from its copy")
        == true)
    #expect(folder.read("state.db") == content)
  }

  @Test("A second host gets one clear sentence, by whatever name it calls the file")
  func secondHost() async throws {
    let first = try SQLiteStorage(file: path)
    _ = try await first.load()
    symlink(path, folder.file("link.db"))
    for name in [path, "\(folder.path)/./state.db", folder.file("link.db")] {
      let error = try await failure(name)
      #expect(error?.kind == .inUse)
      #expect(
        error?.description.hasSuffix(
          "is in use by another pipeline (process \(getpid())); stop that one or name another storage file")
          == true)
    }
    try await first.commit(.states([("a", "1")]))
    await first.close()
    let second = try SQLiteStorage(file: path)
    #expect(try await second.load().stateTexts == ["tracker/a": "1"])
    await second.close()
  }

  @Test("A commit that meets another program's lock fails clearly and goes with the next")
  func locked() async throws {
    let storage = try SQLiteStorage(file: path, options: options())
    try await storage.commit(.states([("a", "1")], position: "1"))
    let other = try SQLiteConnection(path: path, patience: StoragePatience(0))
    try other.execute("BEGIN IMMEDIATE")
    let error = await #expect(throws: StorageError.self) {
      try await storage.commit(.states([("a", "2"), ("b", "2")], position: "2"))
    }
    #expect(error?.kind == .locked)
    try other.execute("ROLLBACK")
    try await storage.commit(.states([("a", "3")]))
    let snapshot = try await storage.load()
    #expect(snapshot.stateTexts == ["tracker/a": "3", "tracker/b": "2"])
    #expect(snapshot.positions == ["btc": "2"])
    await storage.close()
  }

  @Test("On a full disk a commit fails clearly, and all of it is stored once there is space")
  func fullDisk() async throws {
    let storage = try SQLiteStorage(file: path, options: options())
    try await storage.commit(.states([("a", "1")], position: "1"))
    try await storage.limit(pages: 20)

    var large = Commit.states((0..<3_000).map { ("key\($0)", "\"large\"") }, position: "2")
    large.outbox = [OutboxRow(alert: .sample("1"), channel: "phone", queued: Timestamp(milliseconds: 5))]
    large.quarantine = [.sample(1)]
    let handed = large
    let error = await #expect(throws: StorageError.self) { try await storage.commit(handed) }
    #expect(error?.kind == .full)
    #expect(
      error?.description
        == "can't write the storage file '\(path)': the disk is full; free some space, nothing is lost so far"
    )
    let during = try await storage.load()
    #expect(during.stateTexts == ["tracker/a": "1"])
    #expect(during.positions == ["btc": "1"])

    // A small commit would fit, but must not overtake what came before it.
    await #expect(throws: StorageError.self) {
      try await storage.commit(.states([("a", "3")], position: "3"))
    }
    #expect(try await storage.load().positions == ["btc": "1"])

    try await storage.limit(pages: 1_000_000)
    try await storage.commit(Commit())
    let after = try await storage.load()
    #expect(after.states.count == 3_001)
    #expect(after.stateTexts["tracker/a"] == "3")
    #expect(after.positions == ["btc": "3"])
    #expect(after.outbox == large.outbox)
    #expect(try await storage.quarantine(limit: 9) == large.quarantine)
    await storage.close()
  }

  @Test(
    "At the end of the program a large commit that takes too long fails as a whole, and a small one is stored"
  )
  func hurriedEnd() async throws {
    let storage = try SQLiteStorage(file: path)
    try await storage.commit(.states([("before", "1")], position: "1"))
    storage.hurry(within: .zero)
    try await storage.commit(.states([("small", "1")], position: "2"))
    let large = Commit.states((0..<2_000).map { ("key\($0)", "1") }, position: "3")
    let error = await #expect(throws: StorageError.self) { try await storage.commit(large) }
    #expect(error?.kind == .outOfTime)
    #expect(error?.description.contains("the next start goes on from what was stored before") == true)
    // What came later must not overtake it.
    await #expect(throws: StorageError.self) {
      try await storage.commit(.states([("later", "1")], position: "4"))
    }
    #expect(await storage.close()?.kind == .outOfTime)
    let again = try SQLiteStorage(file: path)
    let snapshot = try await again.load()
    #expect(snapshot.stateTexts == ["tracker/before": "1", "tracker/small": "1"])
    #expect(snapshot.positions == ["btc": "2"])
    await again.close()
  }

  @Test("What a large last commit has written to the log is left there, and the next start takes it in")
  func hurriedLog() async throws {
    let storage = try SQLiteStorage(file: path)
    _ = try await storage.load()
    storage.hurry(within: .minutes(10))
    let text = String(repeating: "x", count: 4_096)
    try await storage.commit(.states((0..<5_000).map { ("key\($0)", text) }, position: "1"))
    #expect(await storage.close() == nil)
    #expect(folder.names().contains("state.db-wal"))
    #expect(folder.read("state.db").count < 1 << 20)
    let again = try SQLiteStorage(file: path)
    let snapshot = try await again.load()
    #expect(snapshot.states.count == 5_000)
    #expect(snapshot.positions == ["btc": "1"])
    await again.close()
    #expect(!folder.names().contains("state.db-wal"))
  }

  @Test("A file that is moved away in use is noticed, and written again once it is back")
  func movedAway() async throws {
    let storage = try SQLiteStorage(file: path, options: options())
    try await storage.commit(.states([("a", "1")], position: "1"))
    rename(path, folder.file("elsewhere.db"))
    let error = await #expect(throws: StorageError.self) {
      try await storage.commit(.states([("a", "2")], position: "2"))
    }
    #expect(error?.kind == .moved)
    #expect(
      error?.description
        == "the storage file '\(path)' was moved or deleted while in use; put it back, nothing is lost so far"
    )
    folder.write("state.db", "another".utf8)
    await #expect(throws: StorageError.self) { try await storage.commit(Commit()) }
    #expect(folder.read("state.db") == Array("another".utf8))
    rename(folder.file("elsewhere.db"), path)
    try await storage.commit(Commit())
    await storage.close()
    let again = try SQLiteStorage(file: path)
    #expect(try await again.load().positions == ["btc": "2"])
    await again.close()
  }

  @Test("A disk that is full until the end leaves the last whole cut")
  func fullToTheEnd() async throws {
    let storage = try SQLiteStorage(file: path, options: options())
    try await storage.commit(.states([("a", "1")], position: "1"))
    try await storage.limit(pages: 20)
    await #expect(throws: StorageError.self) {
      try await storage.commit(.states((0..<3_000).map { ("key\($0)", "\"large\"") }, position: "2"))
    }
    await storage.close()
    let again = try SQLiteStorage(file: path)
    let snapshot = try await again.load()
    #expect(snapshot.stateTexts == ["tracker/a": "1"])
    #expect(snapshot.positions == ["btc": "1"])
    #expect(snapshot.notices.isEmpty)
    await again.close()
  }
}
