import Glibc
import Testing

@testable import Pipeline

@Suite("Orders left in the storage")
struct StandingOrdersTests {
  private let folder = StorageFolder()
  private var path: String { folder.file("state.db") }

  private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

  /// A storage with two dead letters and one alert that was delivered.
  private func makeStorage() async throws -> SQLiteStorage {
    let storage = try SQLiteStorage(file: path)
    _ = try await storage.load()
    var commit = Commit()
    for (id, channel) in [("1", "phone"), ("2", "phone"), ("3", "mail")] {
      let row = OutboxRow(alert: .sample(id), channel: channel, queued: at(5))
      commit.outbox.append(row)
      let outcome: SettledRow.Outcome = id == "2" ? .delivered : .failed(reason: "404")
      commit.settled.append(SettledRow(key: row.deliveryKey, outcome: outcome, attempt: 1, time: at(9)))
    }
    try await storage.commit(commit)
    return storage
  }

  @Test("A silence is known as soon as the next commit is stored")
  func silence() async throws {
    let storage = try await makeStorage()
    #expect(storage.orders == StandingOrders())
    let desk = try StorageDesk(StorageReader(file: path))
    let first = try desk.silence(rule: "over", key: nil, from: at(0), to: at(60_000))
    let second = try desk.silence(rule: "over", key: "", from: at(0), to: at(90_000))
    try await storage.commit(.states([("a", "1")]))
    let orders = storage.orders
    #expect(orders.version == 1)
    #expect(
      orders.silences == [
        Silence(number: first, rule: "over", key: nil, begins: at(0), ends: at(60_000)),
        Silence(number: second, rule: "over", key: "", begins: at(0), ends: at(90_000)),
      ])
    // Its own commits are no news.
    try await storage.commit(.states([("a", "2")]))
    #expect(storage.orders == orders)
    #expect(try desk.lift(first, at: at(50)).map(\.number) == [first])
    #expect(try desk.lift(first, at: at(60)) == [])
    #expect(try desk.lift(nil, at: at(60)).map(\.number) == [second])
    try await storage.commit(.states([("a", "3")]))
    #expect(storage.orders.silences.map(\.ends) == [at(50), at(60)])
    await storage.close()
    // A host that starts knows them from the beginning.
    let again = try SQLiteStorage(file: path)
    _ = try await again.load()
    #expect(again.orders.silences.map(\.ends) == [at(50), at(60)])
    await again.close()
  }

  @Test("An idle storage notices an order by itself")
  func idle() async throws {
    let storage = try await makeStorage()
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    storage.watch { if case .ordered = $0 { continuation.yield() } }
    _ = try StorageDesk(StorageReader(file: path)).silence(rule: "r", key: nil, from: at(0), to: at(1))
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
    #expect(storage.orders.silences.map(\.rule) == ["r"])
    await storage.close()
  }

  @Test(
    "Dead letters are ordered again by id, by channel or all, once each, until a commit fulfils the order")
  func resend() async throws {
    let storage = try await makeStorage()
    let desk = try StorageDesk(StorageReader(file: path))
    #expect(try desk.resend(alert: "2", channel: nil) == 0)
    #expect(try desk.resend(alert: nil, channel: "nowhere") == 0)
    #expect(try desk.resend(alert: nil, channel: "mail") == 1)
    #expect(try desk.resend(alert: nil, channel: nil) == 1)
    #expect(try desk.resend(alert: "1", channel: nil) == 0)
    try await storage.commit(.states([("a", "1")]))
    let orders = storage.orders
    #expect(orders.resends.map(\.channel) == ["mail", "phone"])
    #expect(orders.resends.last?.alert == .sample("1"))

    var outbox = Outbox(channels: [("phone", DeliveryPolicy()), ("mail", DeliveryPolicy())], seed: 1)
    outbox.follow(orders, now: at(100))
    outbox.follow(orders, now: at(100))
    let changes = outbox.takeChanges()
    #expect(changes.rows.map(\.id) == ["3-mail", "1-phone"])
    #expect(changes.resent == orders.resends.map(\.number))
    var commit = Commit()
    commit.outbox = changes.rows
    commit.resent = changes.resent
    try await storage.commit(commit)
    #expect(storage.orders.resends == [])
    #expect(try await storage.deadLetters(limit: 10) == [])
    outbox.committed(changes.number)
    outbox.follow(storage.orders, now: at(100))
    #expect(outbox.deliveries(now: at(100)).map(\.id) == ["1-phone", "3-mail"])
    await storage.close()
  }

  @Test("A host that dies before it fulfils an order finds it again")
  func resendAfterDeath() async throws {
    let storage = try await makeStorage()
    await storage.close()
    #expect(try StorageDesk(StorageReader(file: path)).resend(alert: nil, channel: nil) == 2)
    let again = try SQLiteStorage(file: path)
    _ = try await again.load()
    #expect(again.orders.resends.count == 2)
    await again.close()
  }

  @Test("A file that can't be written gets one sentence")
  func readOnly() async throws {
    let storage = try await makeStorage()
    await storage.close()
    let reader = try StorageReader(file: path)
    #expect(chmod(path, 0o444) == 0)
    let error = #expect(throws: StorageError.self) { _ = try StorageDesk(reader) }
    #expect(error?.kind == .readOnly)
  }
}
