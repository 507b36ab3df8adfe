import Testing

@testable import Pipeline

/// What every home keeps, tried on each of them.
@Suite("Storage, in memory and in SQLite")
struct StorageContractTests {
  /// A home that can be opened again, as a restart does.
  enum Home: CaseIterable, Sendable { case memory, sqlite }

  final class Session {
    let folder = StorageFolder()
    private let memory = MemoryStorage(quarantine: QuarantineBound(rows: 3, bytes: 100_000), historyRows: 4)
    private let home: Home

    init(_ home: Home) { self.home = home }

    func open() throws -> any Storage {
      if home == .memory { return memory }
      var options = SQLiteStorage.Options()
      options.quarantine = QuarantineBound(rows: 3, bytes: 100_000)
      options.historyRows = 4
      return try SQLiteStorage(file: folder.file("state.db"), options: options)
    }

    /// Stores commits, closes, opens again and reads.
    func restart(after commits: [Commit]) async throws -> (Snapshot, any Storage) {
      let first = try open()
      _ = try await first.load()
      for commit in commits { try await first.commit(commit) }
      await first.close()
      let second = try open()
      return (try await second.load(), second)
    }
  }

  @Test("A new storage is empty and has nothing to say", arguments: Home.allCases)
  func empty(home: Home) async throws {
    let session = Session(home)
    let storage = try session.open()
    let snapshot = try await storage.load()
    #expect(snapshot.states.isEmpty && snapshot.rules.isEmpty && snapshot.timers.isEmpty)
    #expect(snapshot.positions.isEmpty && snapshot.outbox.isEmpty && snapshot.notices.isEmpty)
    await storage.close()
    #expect(session.folder.names().filter { $0.contains("-") || $0.contains("lock") } == [])
  }

  @Test("The last state of each key is there after a restart, removed ones are not", arguments: Home.allCases)
  func states(home: Home) async throws {
    let session = Session(home)
    defer { withExtendedLifetime(session) {} }
    let (snapshot, storage) = try await session.restart(after: [
      .states([("a", "1"), ("b", "1"), ("", "{}"), ("nul\0key", "0")], position: "10"),
      .states([("a", "2"), ("b", nil), ("gone", nil)], position: "20"),
    ])
    #expect(snapshot.stateTexts == ["tracker/a": "2", "tracker/": "{}", "tracker/nul\0key": "0"])
    #expect(snapshot.positions == ["btc": "20"])
    await storage.close()
  }

  @Test("Rules and timers are kept by their whole key, and go when removed", arguments: Home.allCases)
  func rulesAndTimers(home: Home) async throws {
    let session = Session(home)
    defer { withExtendedLifetime(session) {} }
    var first = Commit()
    first.putRule(script: "s", rule: "over", key: "a", data: [1])
    first.putRule(script: "s", rule: "over", key: "b", data: [2])
    first.putRule(script: "s", rule: "under", key: "a", data: [])
    first.putTimer(script: "s", key: "a", action: "x", due: Timestamp(milliseconds: -5), payload: [7])
    first.putTimer(script: "s", key: "a", action: "y", due: Timestamp(milliseconds: 6))
    var second = Commit()
    second.putRule(script: "s", rule: "over", key: "b", data: nil)
    second.putTimer(script: "s", key: "a", action: "y", due: nil)
    let (snapshot, storage) = try await session.restart(after: [first, second])
    let rules = (0..<snapshot.rules.count).map { row in
      [snapshot.rules.text(row, 1), snapshot.rules.text(row, 2)]
    }
    #expect(Set(rules) == [["over", "a"], ["under", "a"]])
    #expect(snapshot.timers.count == 1)
    #expect(snapshot.timers.text(0, 2) == "x")
    #expect(snapshot.timers.integer(0, 3) == -5)
    #expect(snapshot.timers.bytes(0, 4) == [7])
    await storage.close()
  }

  @Test("Queued deliveries come back whole and in order; settled ones are history", arguments: Home.allCases)
  func outbox(home: Home) async throws {
    let session = Session(home)
    defer { withExtendedLifetime(session) {} }
    let rows = ["1", "2", "3"].map { id in
      OutboxRow(
        alert: .sample(id, key: "k"), channel: "phone", origin: "phone", attempt: 0,
        queued: Timestamp(milliseconds: 5))
    }
    var first = Commit()
    first.outbox =
      rows + [OutboxRow(alert: .sample("1"), channel: "screen", queued: Timestamp(milliseconds: 5))]
    var second = Commit()
    var tried = rows[1]
    tried.attempt = 2
    tried.notBefore = Timestamp(milliseconds: 99)
    second.outbox = [tried]
    let failed = SettledRow(
      key: rows[0].deliveryKey, outcome: .failed(reason: "404"), attempt: 1,
      time: Timestamp(milliseconds: 50))
    second.settled = [failed]
    let (snapshot, storage) = try await session.restart(after: [first, second])
    #expect(snapshot.outbox.map(\.id) == ["2-phone", "3-phone", "1-screen"])
    #expect(snapshot.outbox.first == tried)
    #expect(try await storage.history(limit: 10) == [HistoryRow(alert: rows[0].alert, settled: failed)])
    await storage.close()
  }

  @Test("A dead letter is listed until it is queued again", arguments: Home.allCases)
  func deadLetters(home: Home) async throws {
    let session = Session(home)
    defer { withExtendedLifetime(session) {} }
    let rows = ["1", "2"].map { id in
      OutboxRow(alert: .sample(id), channel: "phone", queued: Timestamp(milliseconds: 5))
    }
    var first = Commit()
    first.outbox = rows
    first.settled = [
      SettledRow(
        key: rows[0].deliveryKey, outcome: .failed(reason: "404"), attempt: 3,
        time: Timestamp(milliseconds: 9)),
      SettledRow(key: rows[1].deliveryKey, outcome: .delivered, attempt: 1, time: Timestamp(milliseconds: 9)),
    ]
    let (_, storage) = try await session.restart(after: [first])
    #expect(try await storage.deadLetters(limit: 10).map(\.settled) == [first.settled[0]])
    #expect(try await storage.history(limit: 10).count == 2)

    var again = Commit()
    again.outbox = [OutboxRow(alert: .sample("1"), channel: "phone", queued: Timestamp(milliseconds: 20))]
    try await storage.commit(again)
    #expect(try await storage.deadLetters(limit: 10) == [])
    #expect(try await storage.history(limit: 10).map(\.alert.id) == ["2"])
    #expect(try await storage.load().outbox == again.outbox)
    await storage.close()
  }

  @Test("A commit handed over a second time changes nothing", arguments: Home.allCases)
  func again(home: Home) async throws {
    let session = Session(home)
    defer { withExtendedLifetime(session) {} }
    var commit = Commit.states([("a", "1")], position: "1")
    commit.outbox = [OutboxRow(alert: .sample("1"), channel: "phone", queued: Timestamp(milliseconds: 5))]
    let (snapshot, storage) = try await session.restart(after: [commit, commit])
    #expect(snapshot.stateTexts == ["tracker/a": "1"])
    #expect(snapshot.outbox == commit.outbox)
    await storage.close()
  }

  @Test("The quarantine keeps the latest within its bounds in messages and bytes", arguments: Home.allCases)
  func quarantine(home: Home) async throws {
    let session = Session(home)
    defer { withExtendedLifetime(session) {} }
    var commits: [Commit] = (1...5).map { number in
      var commit = Commit()
      commit.quarantine = [.sample(number)]
      return commit
    }
    let (_, storage) = try await session.restart(after: commits)
    #expect(try await storage.quarantine(limit: 10).map(\.time.milliseconds) == [5, 4, 3])
    #expect(try await storage.quarantine(limit: 1) == [.sample(5)])

    commits[0].quarantine = [.sample(6, message: [UInt8](repeating: 65, count: 99_600)), .sample(7)]
    try await storage.commit(commits[0])
    #expect(try await storage.quarantine(limit: 10).map(\.time.milliseconds) == [7, 6])
    commits[0].quarantine = [.sample(8, message: [UInt8](repeating: 65, count: 10_000_000))]
    try await storage.commit(commits[0])
    let rows = try await storage.quarantine(limit: 10)
    #expect(rows.map(\.time.milliseconds) == [8])
    #expect(rows.first?.messageLength == 10_000_000)
    #expect((90_000..<100_000).contains(rows.first?.message.count ?? 0))
    await storage.close()
  }

  @Test(
    "Published values crowd no alert out of the history, and are in it only if given up",
    arguments: Home.allCases)
  func publications(home: Home) async throws {
    let session = Session(home)
    defer { withExtendedLifetime(session) {} }
    func delivered(_ alert: Alert, at time: Int64, _ outcome: SettledRow.Outcome = .delivered) -> Commit {
      var commit = Commit()
      commit.outbox = [OutboxRow(alert: alert, channel: "file", queued: Timestamp(milliseconds: time))]
      commit.settled = [
        SettledRow(
          key: DeliveryKey(alert: alert.id, channel: "file"), outcome: outcome, attempt: 1,
          time: Timestamp(milliseconds: time))
      ]
      return commit
    }
    var commits = [delivered(.sample("alert"), at: 1)]
    for number in 0..<50 {
      var value = Alert.sample("value \(number)")
      value.kind = .published
      commits.append(
        delivered(value, at: 2 + Int64(number), number == 49 ? .failed(reason: "no") : .delivered))
    }
    let (_, storage) = try await session.restart(after: commits)
    #expect(try await storage.history(limit: 10).map(\.alert.id) == ["value 49", "alert"])
    #expect(try await storage.deadLetters(limit: 10).map(\.alert.id) == ["value 49"])
    await storage.close()
  }

  @Test("The history keeps the latest and never drops a queued delivery", arguments: Home.allCases)
  func history(home: Home) async throws {
    let session = Session(home)
    defer { withExtendedLifetime(session) {} }
    var first = Commit()
    first.outbox = [OutboxRow(alert: .sample("queued"), channel: "c", queued: Timestamp(milliseconds: 0))]
    var commits = [first]
    for number in 0..<20 {
      let row = OutboxRow(
        alert: .sample("\(number)"), channel: "c", queued: Timestamp(milliseconds: Int64(number)))
      var commit = Commit()
      commit.outbox = [row]
      commit.settled = [
        SettledRow(
          key: row.deliveryKey, outcome: .delivered, attempt: 1, time: Timestamp(milliseconds: Int64(number)))
      ]
      commits.append(commit)
    }
    let (snapshot, storage) = try await session.restart(after: commits)
    #expect(snapshot.outbox.map(\.alert.id) == ["queued"])
    let kept = try await storage.history(limit: 100).map(\.alert.id)
    #expect(kept.first == "19")
    #expect(kept.count >= 3 && kept.count < 9)
    await storage.close()
  }

  @Test("After closing, a commit fails and says so", arguments: Home.allCases)
  func closed(home: Home) async throws {
    let session = Session(home)
    let storage = try session.open()
    _ = try await storage.load()
    await storage.close()
    await #expect(throws: StorageError.self) { try await storage.commit(.states([("a", "1")])) }
    #expect(session.folder.names().contains("state.db") == (home == .sqlite))
  }
}
