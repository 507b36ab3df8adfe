import Testing

@testable import Pipeline

@Suite("Storage files of earlier versions")
struct SchemaVersionTests {
  private let folder = StorageFolder()

  /// Each version of the schema before the current one.
  static let earlier = Array(1..<Int(SQLiteSchema.current.version))

  /// Makes a file as the program of a version left it.
  private func makeFile(version: Int) throws -> String {
    let path = folder.file("state.db")
    let connection = try SQLiteConnection(path: path, patience: StoragePatience(1_000))
    try connection.execute("PRAGMA journal_mode = WAL")
    for step in SQLiteSchema.current.steps.prefix(version) { try connection.execute(step) }
    try connection.execute("PRAGMA user_version = \(version)")
    try connection.execute(
      """
      INSERT INTO state VALUES (CAST('tracker' AS BLOB), CAST('a' AS BLOB), CAST('{"n":1}' AS BLOB));
      INSERT INTO rule VALUES (CAST('tracker' AS BLOB), CAST('over' AS BLOB), CAST('a' AS BLOB), CAST('[]' AS BLOB));
      INSERT INTO timer VALUES (CAST('tracker' AS BLOB), CAST('a' AS BLOB), CAST('x' AS BLOB), X'0500000000000000', '1');
      INSERT INTO position VALUES ('feed', '17');
      INSERT INTO alert (id, kind, severity, script, name, key, text, time, value, labels)
        VALUES ('queued', 'firing', 1, 'tracker', 'over', 'a', 'over 100', 7, 101.5, X''),
          ('dead', 'resolved', 2, 'tracker', 'over', 'a', 'over', 8, NULL, X'');
      INSERT INTO delivery (alert, channel, origin, queued, attempt, not_before)
        VALUES ('queued', 'phone', 'mail', 9, 2, 11), ('dead', 'phone', 'phone', 9, 2, 11);
      UPDATE delivery SET outcome = 2, reason = '404', settled = 12 WHERE alert = 'dead';
      INSERT INTO quarantine (time, script, source, input, reason, place, traceback, message, length, size)
        VALUES (1, 'tracker', 'feed', 'price', 'why', 's.lua:1', '', X'7b7d', 2, 100);
      """)
    return path
  }

  @Test("A file of each earlier version is opened with everything in it, and written on", arguments: earlier)
  func opens(version: Int) async throws {
    let storage = try SQLiteStorage(file: try makeFile(version: version))
    let snapshot = try await storage.load()
    #expect(snapshot.notices == [])
    #expect(snapshot.stateTexts == ["tracker/a": "{\"n\":1}"])
    #expect(snapshot.rules.text(0, 1) == "over")
    #expect(snapshot.timers.integer(0, 3) == 5)
    #expect(snapshot.positions == ["feed": "17"])
    let row = try #require(snapshot.outbox.first)
    #expect(snapshot.outbox.count == 1)
    #expect(row.id == "queued-phone" && row.origin == "mail" && row.attempt == 2)
    #expect(row.queued.milliseconds == 9 && row.notBefore.milliseconds == 11)
    #expect(row.alert.value == 101.5 && row.alert.severity == .warning && row.alert.text == "over 100")
    #expect(row.hold == nil && row.heldUntil == nil && !row.isSilenced && row.omitted == 0)
    #expect(try await storage.deadLetters(limit: 9).map(\.settled.outcome) == [.failed(reason: "404")])
    #expect(try await storage.quarantine(limit: 9).map(\.reason) == ["why"])
    #expect(storage.orders == StandingOrders())
    #expect(snapshot.origin == "")
    var commit = Commit.states([("a", "{\"n\":2}")])
    var held = OutboxRow(alert: .sample("held"), channel: "phone", queued: Timestamp(milliseconds: 20))
    held.hold = DailyHours(parsing: "22:00-07:00 Europe/Berlin")
    held.heldUntil = Timestamp(milliseconds: 30)
    held.omitted = 3
    var silenced = OutboxRow(
      alert: .sample("silenced"), channel: "phone", queued: Timestamp(milliseconds: 20))
    silenced.isSilenced = true
    commit.outbox = [held, silenced]
    try await storage.commit(commit)
    let later = try await storage.load()
    #expect(later.stateTexts == ["tracker/a": "{\"n\":2}"])
    #expect(Array(later.outbox.dropFirst()) == [held, silenced])
    await storage.close()
  }
}
