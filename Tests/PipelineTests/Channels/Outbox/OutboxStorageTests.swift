import Testing

@testable import Pipeline

@Suite("Outbox and storage")
struct OutboxStorageTests {
  @Test("An outbox goes on after a restart from what SQLite kept, and forgets nothing")
  func restart() async throws {
    let folder = StorageFolder()
    let path = folder.file("state.db")
    let channels = [("phone", DeliveryPolicy(fallback: "screen")), ("screen", DeliveryPolicy())]
    var told: [String] = []
    var now = Timestamp(milliseconds: 0)
    for run in 0..<6 {
      let storage = try SQLiteStorage(file: path)
      var outbox = Outbox(channels: channels, seed: UInt64(run))
      outbox.restore(try await storage.load().outbox, now: now)
      for index in 0..<10 {
        outbox.enqueue(.sample("\(run).\(index)", key: "\(index)"), to: ["phone"], now: now)
      }
      // The phone refuses every third and is down in odd runs; each run ends with work left.
      for _ in 0..<(run == 5 ? 200 : 12) {
        let changes = outbox.takeChanges()
        var commit = Commit()
        commit.outbox = changes.rows
        commit.settled = changes.settled
        try await storage.commit(commit)
        outbox.committed(changes.number)
        for delivery in outbox.deliveries(now: now) {
          let isPhone = delivery.channel == "phone"
          let outcome: DeliveryOutcome =
            isPhone && run % 2 == 1 && run < 5
            ? .retry(after: nil, reason: "down")
            : isPhone && delivery.alert.id.hasSuffix("3") ? .failed(reason: "no") : .delivered
          if outcome == .delivered { told.append(delivery.id) }
          outbox.outcome(outcome, of: delivery, now: now)
        }
        now = outbox.nextDue.map { max($0, now) } ?? now
      }
      await storage.close()
    }
    let alerts = Set(told.map { $0.prefix(while: { $0 != "-" }) })
    #expect(alerts.count == 60)
    let storage = try SQLiteStorage(file: path)
    #expect(try await storage.load().outbox == [])
    let history = try await storage.history(limit: 1_000)
    #expect(Set(history.filter { $0.settled.outcome == .delivered }.map(\.alert.id)).count == 60)
    #expect(history.contains { $0.settled.outcome == .failed(reason: "no") })
    #expect(history.first { $0.alert.id == "0.0" }?.alert == .sample("0.0", key: "0"))
    await storage.close()
  }
}
