import Synchronization
import Testing

@testable import Pipeline

@Suite("SQLite storage")
struct SQLiteStorageTests {
  private let folder = StorageFolder()
  private var path: String { folder.file("state.db") }

  @Test("What was committed is there after the process is gone without a word")
  func crash() async throws {
    let storage = try SQLiteStorage(file: path)
    for number in 0..<20 { try await storage.commit(.states([("a", "\(number)")], position: "\(number)")) }
    // The files as a kill leaves them: never closed.
    for name in ["state.db", "state.db-wal"] {
      folder.write(name.replacing("state", with: "copy"), folder.read(name))
    }
    let copy = try SQLiteStorage(file: folder.file("copy.db"))
    let snapshot = try await copy.load()
    #expect(snapshot.stateTexts == ["tracker/a": "19"])
    #expect(snapshot.positions == ["btc": "19"])
    #expect(snapshot.notices.isEmpty)
    await copy.close()
    await storage.close()
  }

  @Test("A crash in the middle of writing leaves a whole earlier cut", arguments: [0.2, 0.5, 0.8, 0.97])
  func tornWrite(fraction: Double) async throws {
    let storage = try SQLiteStorage(file: path)
    for number in 0..<10 {
      try await storage.commit(
        .states((0..<50).map { ("key\($0)", "\(number)") }, position: "\(number)"))
    }
    let log = folder.read("state.db-wal")
    folder.write("copy.db", folder.read("state.db"))
    folder.write("copy.db-wal", log.prefix(Int(Double(log.count) * fraction)))
    let copy = try SQLiteStorage(file: folder.file("copy.db"))
    let snapshot = try await copy.load()
    // Every key and the source's position are of the same turn.
    let cuts = Set(snapshot.stateTexts.values).union(snapshot.positions.values)
    #expect(cuts.count <= 1)
    #expect(snapshot.stateTexts.count == (cuts.isEmpty ? 0 : 50))
    await copy.close()
    await storage.close()
  }

  @Test("Commits handed over without waiting are stored in their order")
  func order() async throws {
    let storage = try SQLiteStorage(file: path)
    let done = Mutex<[Int]>([])
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for number in 0..<500 {
      storage.submit(.states([("a", "\(number)")], position: "\(number)")) { result in
        if case .success = result { done.withLock { $0.append(number) } }
        if number == 499 { continuation.finish() }
      }
    }
    for await _ in stream {}
    #expect(done.withLock { $0 } == Array(0..<500))
    let snapshot = try await storage.load()
    #expect(snapshot.stateTexts == ["tracker/a": "499"])
    #expect(snapshot.positions == ["btc": "499"])
    await storage.close()
  }

  @Test("Closing stores what was handed over before")
  func closing() async throws {
    let storage = try SQLiteStorage(file: path)
    for number in 0..<100 { storage.submit(.states([("k\(number)", "1")])) { _ in } }
    await storage.close()
    let again = try SQLiteStorage(file: path)
    #expect(try await again.load().states.count == 100)
    await again.close()
  }

  @Test("A file of an earlier schema is brought up to date and keeps its content")
  func migration() async throws {
    let storage = try SQLiteStorage(file: path)
    try await storage.commit(.states([("a", "1")]))
    await storage.close()

    var options = SQLiteStorage.Options()
    options.schema.steps.append("ALTER TABLE position ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0")
    let newer = try SQLiteStorage(file: path, options: options)
    #expect(try await newer.load().stateTexts == ["tracker/a": "1"])
    await newer.close()

    let older = try SQLiteStorage(file: path)
    let error = await #expect(throws: StorageError.self) { _ = try await older.load() }
    #expect(error?.kind == .newer)
    let version = SQLiteSchema.current.version
    #expect(
      error?.description.contains("schema version \(version + 1) and this program knows \(version)") == true)
    await older.close()
  }

  @Test("A migration that fails leaves the file as it was")
  func failedMigration() async throws {
    let storage = try SQLiteStorage(file: path)
    try await storage.commit(.states([("a", "1")]))
    await storage.close()
    var options = SQLiteStorage.Options()
    options.schema.steps.append("CREATE TABLE fine (x); CREATE TABLE state (x)")
    let broken = try SQLiteStorage(file: path, options: options)
    await #expect(throws: StorageError.self) { _ = try await broken.load() }
    await broken.close()
    let again = try SQLiteStorage(file: path)
    #expect(try await again.load().stateTexts == ["tracker/a": "1"])
    await again.close()
  }
}
