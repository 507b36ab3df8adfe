import Scripting
import TestPeers
import Testing

@testable import Pipeline

@Suite(
  "A dead man's switch with a real receiver",
  .enabled(if: PythonServer.isAvailable, Comment(rawValue: PythonServer.reason)))
struct HeartbeatReceiverTests {
  private func channel(
    _ receiver: Receiver, _ path: String, log: @escaping LogSink = { _, _, _ in }
  ) throws -> HeartbeatChannel {
    let channel = try ConfiguredChannel.make(
      HeartbeatSettings.self, ["url": .text(try receiver.url(path)), "every": "10s"], ChannelContext(log: log)
    )
    guard let channel = channel as? HeartbeatChannel else { throw ChannelError("no heartbeat") }
    return channel
  }

  @Test("it beats when it is due and all is well, and then an interval later")
  func beats() async throws {
    let receiver = try Receiver("heartbeat")
    let channel = try channel(receiver, "/status/200")
    let second: UInt64 = 1_000_000_000
    var heartbeats = Heartbeats([channel], now: 0)
    #expect(heartbeats.nextDue == 10 * second)
    heartbeats.beat(now: 9 * second) { nil }
    #expect(heartbeats.nextDue == 10 * second)
    heartbeats.beat(now: 10 * second) { nil }
    #expect(heartbeats.nextDue == 20 * second)
    while try await receiver.requests().isEmpty { await Task.yield() }
    heartbeats.beat(now: 20 * second) { "source 'btc' is stale" }
    #expect(heartbeats.nextDue == 30 * second)
    #expect(try await receiver.requests().map { $0["method"] } == ["GET"])
  }

  @Test("the log tells once why there is no beat, and once that it arrives again")
  func log() async throws {
    let receiver = try Receiver("heartbeat-log")
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let channel = try channel(receiver, "/sequence?codes=404,404,200") { _, name, text in
      continuation.yield("\(name): \(text)")
    }
    var iterator = lines.makeAsyncIterator()
    channel.beat(trouble: "the storage fails: full")
    channel.beat(trouble: "the storage fails: full")
    #expect(await iterator.next() == "phone: no heartbeat: the storage fails: full")
    channel.beat(trouble: nil)
    #expect(await iterator.next() == "phone: the heartbeat fails: \(try receiver.origin()) answered 404")
    var seen = try await receiver.requests().count
    while seen < 3 {
      channel.beat(trouble: nil)
      await Task.yield()
      seen = try await receiver.requests().count
    }
    #expect(await iterator.next() == "phone: the heartbeat arrives again")
  }

  @Test("a drill is a beat")
  func drill() async throws {
    let receiver = try Receiver("heartbeat-drill")
    #expect(try await channel(receiver, "/status/200").deliver(.sample(), id: "1-phone") == .delivered)
  }
}
