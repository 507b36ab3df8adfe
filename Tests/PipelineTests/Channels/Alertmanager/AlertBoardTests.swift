import Scripting
import Testing

@testable import Pipeline

@Suite("What an Alertmanager is told")
struct AlertBoardTests {
  private let start = Timestamp(milliseconds: 1_767_225_600_000)

  private func alert(
    _ kind: Alert.Kind = .firing, key: String = "btc", at seconds: Int64 = 0, lasts: Bool = true,
    labels: [String: String] = [:]
  ) -> Alert {
    var alert = Alert.sample(kind: kind, key: key, labels: labels)
    alert.id = "\(kind)-\(key)"
    alert.time = start + .seconds(seconds)
    alert.lasts = lasts && kind != .resolved
    return alert
  }

  private func posts(_ body: [UInt8]) throws -> [Value] {
    guard case .list(let posts) = try Value(json: String(decoding: body, as: UTF8.self)) else { return [] }
    return posts
  }

  @Test("an alert has its labels, its text, its beginning, and an end unless it is heard of again")
  func firing() throws {
    var board = AlertBoard(labels: ["site": "home", "market": "any"], hold: .minutes(4))
    let own = ["market": "spot", "a-b.c": "x", "9": "y", "empty": "", "severity": "mine"]
    let posts = try posts(board.take(alert(labels: own), now: start + .seconds(1)))
    #expect(
      posts == [
        [
          "labels": [
            "alertname": "over level", "severity": "warning", "script": "prices", "key": "btc",
            "site": "home",
            "market": "spot", "a_b_c": "x", "_9": "y",
          ],
          "annotations": ["summary": "bitcoin at 70010.00", "value": "70010.0"],
          "startsAt": "2026-01-01T00:00:00.000Z", "endsAt": "2026-01-01T00:04:01.000Z",
        ]
      ])
  }

  @Test("what goes on is told again with the same beginning, until it ends")
  func episode() throws {
    var board = AlertBoard(labels: [:], hold: .minutes(4))
    _ = board.take(alert(), now: start)
    _ = board.take(alert(key: "eth", at: 5), now: start + .seconds(5))
    _ = board.take(alert(.reminder, at: 60), now: start + .seconds(60))
    let again = try board.reminders(now: start + .seconds(90)).flatMap(posts)
    #expect(
      again.map { $0["labels"]?["key"] } == ["eth", "btc"]
        || again.map { $0["labels"]?["key"] } == ["btc", "eth"])
    for post in again {
      #expect(
        post["startsAt"]?.text
          == (post["labels"]?["key"] == "eth" ? "2026-01-01T00:00:05.000Z" : "2026-01-01T00:00:00.000Z"))
      #expect(post["endsAt"] == "2026-01-01T00:05:30.000Z")
    }
    let end = try posts(board.take(alert(.resolved, at: 100), now: start + .seconds(101)))
    #expect(end.first?["startsAt"] == "2026-01-01T00:00:00.000Z")
    #expect(end.first?["endsAt"] == "2026-01-01T00:01:40.000Z")
    #expect(
      try board.reminders(now: start + .seconds(120)).flatMap(posts).map { $0["labels"]?["key"] } == ["eth"])
  }

  @Test("an end is never later than now, also where the feed's clock runs ahead, nor before its beginning")
  func ends() throws {
    var board = AlertBoard(labels: [:], hold: .minutes(4))
    let ahead = try posts(board.take(alert(.resolved, at: 500), now: start + .seconds(100)))
    #expect(ahead.first?["endsAt"] == "2026-01-01T00:08:20.000Z")
    _ = board.take(alert(), now: start)
    let after = try posts(board.take(alert(.resolved, at: 500), now: start + .seconds(100)))
    #expect(
      after.first?["startsAt"] == "2026-01-01T00:00:00.000Z"
        && after.first?["endsAt"] == "2026-01-01T00:01:40.000Z")
  }

  @Test("an alert without a told end is posted once")
  func once() throws {
    var board = AlertBoard(labels: [:], hold: .minutes(4))
    #expect(try posts(board.take(alert(lasts: false), now: start)).count == 1)
    #expect(board.reminders(now: start).isEmpty)
  }

  @Test("many alerts are told in batches")
  func batches() throws {
    var board = AlertBoard(labels: [:], hold: .minutes(4))
    for number in 0..<1_001 { _ = board.take(alert(key: "\(number)"), now: start) }
    #expect(try board.reminders(now: start).map { try posts($0).count } == [500, 500, 1])
  }

  @Test("after a restart what the channel told last decides what goes on")
  func resumed() {
    func row(_ alert: Alert, _ channel: String = "ops", _ outcome: SettledRow.Outcome = .delivered)
      -> HistoryRow
    {
      HistoryRow(
        alert: alert,
        settled: SettledRow(
          key: DeliveryKey(alert: alert.id, channel: channel), outcome: outcome, attempt: 1, time: start))
    }
    // The latest first.
    let history = [
      row(alert(.resolved, key: "ended")), row(alert(key: "ended")), row(alert(.reminder, key: "goes on")),
      row(alert(key: "goes on")), row(alert(key: "once", lasts: false)),
      row(alert(key: "elsewhere"), "phone"),
      row(alert(key: "refused"), "ops", .failed(reason: "no")), row(alert(key: "again")),
      row(alert(.resolved, key: "again")),
    ]
    #expect(LastingAlerts.told(by: "ops", in: history).map(\.key) == ["goes on", "again"])
    var board = AlertBoard(labels: [:], hold: .minutes(4))
    board.resume(LastingAlerts.told(by: "ops", in: history))
    #expect(board.lasting.count == 2)
  }
}
