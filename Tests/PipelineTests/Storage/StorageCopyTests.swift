import Glibc
import Testing

@testable import Pipeline

@Suite("Copies of the storage")
struct StorageCopyTests {
  private let folder = StorageFolder()
  private var path: String { folder.file("state.db") }

  private func open(copies: Bool = false) throws -> SQLiteStorage {
    var options = SQLiteStorage.Options()
    if copies { options.copies = (.zero, .minutes(60)) }
    return try SQLiteStorage(file: path, options: options)
  }

  /// Leaves a storage that has gone on since its one copy was made; gives what tells the storage apart.
  private func makeCopied() async throws -> String {
    let storage = try open(copies: true)
    let origin = try await storage.load().origin
    try await storage.commit(.states([("a", "1"), ("b", "1")], position: "1"))
    storage.watch { _ in }
    while !folder.names().contains("state.db.copy") { await Task.yield() }
    try await storage.commit(.states([("a", "2")], position: "2"))
    await storage.close()
    return origin
  }

  private func damage(_ name: String) {
    let content = folder.read(name)
    folder.write(name, content.prefix(4_096) + [UInt8](repeating: 0x5a, count: content.count - 4_096))
  }

  @Test("A host that runs makes a copy, and leaves nothing else beside its file")
  func made() async throws {
    _ = try await makeCopied()
    #expect(folder.names() == ["state.db", "state.db.copy"])
    let again = try open()
    #expect(try await again.load().stateTexts == ["tracker/a": "2", "tracker/b": "1"])
    await again.close()
  }

  @Test("A damaged file is kept aside, and the start goes on from the copy, loudly")
  func used() async throws {
    let origin = try await makeCopied()
    damage("state.db")
    let storage = try open()
    let snapshot = try await storage.load()
    #expect(snapshot.stateTexts == ["tracker/a": "1", "tracker/b": "1"])
    #expect(snapshot.positions == ["btc": "1"])
    #expect(snapshot.origin.count == 16 && snapshot.origin != origin)
    let notice = try #require(snapshot.notices.first)
    #expect(snapshot.notices.count == 1)
    #expect(notice.message.contains("and the program starts from its copy of "))
    #expect(notice.message.hasSuffix("what happened since is not known to it"))
    let kept = try #require(notice.keptAside)
    #expect(folder.names().contains { "\(folder.path)/\($0)" == kept })
    try await storage.commit(.states([("a", "3")]))
    await storage.close()
    let again = try open()
    let later = try await again.load()
    #expect(later.stateTexts["tracker/a"] == "3")
    #expect(later.notices == [] && later.origin == snapshot.origin)
    await again.close()
  }

  @Test("Where the copy is damaged as well both are kept, and the start is empty")
  func bothDamaged() async throws {
    _ = try await makeCopied()
    damage("state.db")
    damage("state.db.copy")
    let storage = try open()
    let snapshot = try await storage.load()
    #expect(snapshot.states.isEmpty)
    #expect(snapshot.origin.count == 16)
    #expect(snapshot.notices.count == 1)
    #expect(
      snapshot.notices.first?.message.contains(
        "starts without its state, as its copy can't be read either and is kept as") == true)
    #expect(folder.names().filter { $0.hasPrefix("state.db.unreadable-") }.count == 2)
    await storage.close()
  }

  @Test("A copy that can't be made is told once, in one sentence, and so is that one was made again")
  func failing() async throws {
    let (events, continuation) = AsyncStream<StorageEvent>.makeStream()
    var options = SQLiteStorage.Options()
    options.copies = (.zero, .zero)
    let storage = try SQLiteStorage(file: path, options: options)
    _ = try await storage.load()
    mkdir(path + ".copy.new", 0o700)
    storage.watch { continuation.yield($0) }
    var iterator = events.makeAsyncIterator()
    guard case .copyFailed(let error)? = await iterator.next() else {
      return #expect(Bool(false), "no failure")
    }
    #expect(error.description.hasPrefix("can't copy the storage file '\(path)': "))
    #expect(error.description.hasSuffix("; check that its folder is writable"))
    try await storage.commit(.states([("a", "1")]))
    rmdir(path + ".copy.new")
    guard case .copied? = await iterator.next() else { return #expect(Bool(false), "told again") }
    await storage.close()
    #expect(folder.names() == ["state.db", "state.db.copy"])
  }

  @Test("A storage made anew has other ids for the same episode")
  func ids() async throws {
    let rule = AlertRule(name: "over", condition: .above(1))
    var state = RuleState()
    let outcome = rule.check(&state, value: 2, at: Timestamp(milliseconds: 0), context: [])
    let ids = ["", "a", "b"].map { rule.alert(for: outcome, script: "s", origin: $0, key: "k")?.id }
    #expect(Set(ids).count == 3)
  }
}
