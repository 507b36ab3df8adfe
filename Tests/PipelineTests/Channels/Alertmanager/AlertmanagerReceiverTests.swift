import Scripting
import TestPeers
import Testing

@testable import Pipeline

@Suite(
  "An Alertmanager's interface with a real receiver",
  .enabled(if: PythonServer.isAvailable, Comment(rawValue: PythonServer.reason)))
struct AlertmanagerReceiverTests {
  private func lasting(_ kind: Alert.Kind = .firing, key: String = "btc") -> Alert {
    var alert = Alert.sample(kind: kind, key: key)
    alert.id = "\(kind)-\(key)"
    alert.lasts = kind != .resolved
    return alert
  }

  private func bodies(_ receiver: Receiver) async throws -> [Value] {
    try await receiver.requests().compactMap { $0["body"]?.text }.map { try Value(json: $0) }
  }

  @Test("an alert is posted again while it goes on, and not behind its end")
  func episode() async throws {
    let receiver = try Receiver("alertmanager")
    let channel = try ConfiguredChannel.make(
      AlertmanagerSettings.self,
      ["url": .text(try receiver.origin() + "/as/alertmanager/"), "repeat_every": "20ms"])
    #expect(await channel.deliver(lasting(), id: "1-phone") == .delivered)
    while try await bodies(receiver).count < 4 { await Task.yield() }
    #expect(await channel.deliver(lasting(.resolved), id: "2-phone") == .delivered)
    let posts = try await bodies(receiver)
    let requests = try await receiver.requests()
    #expect(requests.allSatisfy { $0["path"] == "/as/alertmanager/api/v2/alerts" && $0["method"] == "POST" })
    guard case .list(let last)? = posts.last else { throw ChannelError("no list") }
    #expect(last.count == 1 && last[0]["endsAt"] == "2026-01-01T00:00:00.000Z")
    // A second alert is the sign that reminders went on meanwhile.
    #expect(await channel.deliver(lasting(key: "eth"), id: "3-phone") == .delivered)
    while try await bodies(receiver).count < posts.count + 4 { await Task.yield() }
    for case .list(let later) in try await bodies(receiver).dropFirst(posts.count) {
      #expect(later.map { $0["labels"]?["key"] } == ["eth"])
    }
    await channel.close()
  }

  @Test("what went on before a restart is posted again")
  func resumed() async throws {
    let receiver = try Receiver("alertmanager-resumed")
    let channel = try ConfiguredChannel.make(
      AlertmanagerSettings.self,
      ["url": .text(try receiver.origin() + "/as/alertmanager-resumed"), "repeat_every": "20ms"])
    await channel.resume([lasting()])
    while try await bodies(receiver).isEmpty { await Task.yield() }
    await channel.close()
  }

  @Test("reminders that fail are told in the log once, and once that they arrive again")
  func failingReminders() async throws {
    let receiver = try Receiver("alertmanager-failing")
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let channel = try ConfiguredChannel.make(
      AlertmanagerSettings.self,
      [
        "url": .text(try receiver.origin() + "/as/alertmanager-failing/500-500-500-200"),
        "repeat_every": "20ms",
      ],
      ChannelContext(log: { _, name, text in continuation.yield("\(name): \(text)") }))
    await channel.resume([lasting()])
    var iterator = lines.makeAsyncIterator()
    #expect(
      await iterator.next()
        == "phone: alerts that go on can't be posted again: \(try receiver.origin()) answered 500")
    #expect(await iterator.next() == "phone: alerts that go on are posted again")
    await channel.close()
  }
}
