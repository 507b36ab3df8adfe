import Scripting
import Testing

@testable import Pipeline

@Suite("What waits for the engine")
struct WaitingQueueTests {
  private static let keys = MessageKeys(paths: [FieldPath("k")], isShared: true)

  /// What a driver reads: messages such as `{"k":"a","n":1}`, at a time in milliseconds.
  private func output(
    _ messages: [(key: String, number: Int)] = [], at time: Int64 = 0, events: [SourceOutput.Event] = [],
    position: String? = nil, positionPath: String? = nil
  ) -> SourceOutput {
    var output = SourceOutput(batch: MessageBatch(), time: Timestamp(milliseconds: time), epoch: 1)
    for message in messages {
      Array("{\"k\":\"\(message.key)\",\"n\":\(message.number)}".utf8).withUnsafeBytes { output.add($0) }
    }
    output.events = events
    output.position = position
    output.positionPath = positionPath
    return output
  }

  private func numbers(_ batch: MessageBatch) -> [Int] {
    _ = batch.decode()
    return (0..<batch.count).compactMap { batch.field("n", at: $0).flatMap { Int($0) } }
  }

  /// Takes all that waits, and says what came as text: numbers of messages, names of events.
  private func drain(_ queue: inout WaitingQueue, atMost count: Int = .max) -> [String] {
    var all: [String] = []
    let batch = MessageBatch()
    while let taken = queue.take(atMost: count, into: batch) {
      switch taken.content {
      case .messages: all += numbers(batch).map { "\($0)" }
      case .event(let event): all.append("\(event)")
      case .report(let report): all.append(report.subscription)
      }
      batch.removeAll()
    }
    return all
  }

  /// A queue with room for so many messages of one digit.
  private func queue(_ overflow: QueueOptions.Overflow, room: Int, keys: MessageKeys? = keys) -> WaitingQueue
  {
    WaitingQueue(
      QueueOptions(overflow: overflow, maximumBytes: room * (15 + WaitingQueue.overhead)), keys: keys)
  }

  @Test("things come out in the order in which they came in, with their connection", arguments: [1, 2, .max])
  func order(count: Int) {
    var queue = WaitingQueue(QueueOptions())
    var first = output([("a", 1), ("b", 2)], events: [.opened, .closed(SourceMachine.End(reason: "gone"))])
    first.reports = [SubscriptionReport(subscription: "trades", items: [], outcome: .subscribed)]
    #expect(queue.add(first, connection: 1) == false)
    #expect(queue.add(output([("a", 3)], events: [.opened]), connection: 2) == false)
    let end = "\(SourceOutput.Event.closed(SourceMachine.End(reason: "gone")))"
    #expect(drain(&queue, atMost: count) == ["opened", "1", "2", "trades", end, "opened", "3"])
    #expect(queue.isEmpty && queue.bytes == 0 && queue.messageCount == 0)
    #expect(queue.episode == nil && queue.takeLoss() == nil)
  }

  @Test("messages are taken up to a number and a time, the first one always")
  func bounds() {
    var queue = WaitingQueue(QueueOptions())
    _ = queue.add(output([("a", 1), ("a", 2)], at: 10), connection: 1)
    _ = queue.add(output([("a", 3), ("a", 4)], at: 20), connection: 1)
    let batch = MessageBatch()
    func take(_ count: Int, _ time: Int64) -> [Int] {
      batch.removeAll()
      _ = queue.take(atMost: count, until: Timestamp(milliseconds: time), into: batch)
      return numbers(batch)
    }
    #expect(queue.oldest == Timestamp(milliseconds: 10))
    #expect(take(1, 30) == [1])
    #expect(take(9, 15) == [2])
    #expect(queue.oldest == Timestamp(milliseconds: 20))
    #expect(take(9, 5) == [3])
    #expect(take(9, 30) == [4])
    #expect(queue.oldest == nil)
  }

  @Test("what is no data doesn't wait")
  func answers() {
    var queue = WaitingQueue(QueueOptions())
    var answer = output([("a", 1)])
    answer.batch.skip(at: 0)
    answer.answerCount = 1
    _ = queue.add(answer, connection: 1)
    #expect(queue.isEmpty)
    var mixed = output([("a", 1), ("a", 2)])
    mixed.batch.skip(at: 0)
    mixed.answerCount = 1
    _ = queue.add(mixed, connection: 1)
    #expect(queue.messageCount == 1)
    #expect(drain(&queue) == ["2"])
  }

  @Test("with block nothing is lost: reading stops, and goes on when a quarter is free")
  func block() {
    var queue = queue(.block, room: 8)
    #expect(queue.add(output((1...8).map { ("a", $0) }), connection: 1) == false)
    #expect(!queue.isBlocked && queue.episode == nil)
    #expect(queue.add(output([("a", 9)], at: 5), connection: 1) == true)
    #expect(queue.isBlocked)
    // Told once, however much still comes.
    #expect(queue.add(output([("a", 0)], at: 6), connection: 1) == false)
    let batch = MessageBatch()
    _ = queue.take(atMost: 3, into: batch)
    batch.removeAll()
    #expect(queue.isBlocked)
    _ = queue.take(atMost: 1, into: batch)
    #expect(!queue.isBlocked)
    #expect(drain(&queue) == ["5", "6", "7", "8", "9", "0"])
    #expect(queue.episode == WaitingQueue.Episode(began: Timestamp(milliseconds: 5)))
    #expect(queue.takeLoss() == nil && queue.droppedMessages == 0)
  }

  @Test("an episode is over when nothing has waited for a while, and goes on if there is no room again")
  func episodes() {
    func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
    var queue = queue(.block, room: 1)
    #expect(queue.add(output([("a", 1), ("a", 2)], at: 1_000), connection: 1) == true)
    queue.settle(at: time(1_500))
    #expect(queue.takeEpisode(at: time(90_000)) == nil, "something waits")
    _ = drain(&queue)
    #expect(queue.episode?.due == nil, "nobody has said that nothing waits")
    queue.settle(at: time(2_000))
    queue.settle(at: time(2_500))
    #expect(queue.episode?.due == time(7_000))
    #expect(queue.takeEpisode(at: time(6_999)) == nil)
    #expect(queue.add(output([("a", 3), ("a", 4)], at: 6_999), connection: 1) == false)
    #expect(queue.takeEpisode(at: time(7_000)) == nil && queue.episode?.due == nil)
    _ = drain(&queue)
    queue.settle(at: time(8_000))
    let over = queue.takeEpisode(at: time(13_000))
    #expect(over == WaitingQueue.Episode(began: time(1_000), calmSince: time(8_000)))
    #expect(queue.episode == nil)
    #expect(queue.add(output([("a", 5), ("a", 6)], at: 14_000), connection: 1) == true)
    #expect(queue.takeEpisode(at: nil)?.began == time(14_000), "the end of the program is that of an episode")
  }

  @Test("with drop_oldest the oldest give way, and each key is told how many it misses")
  func dropOldest() {
    var queue = queue(.dropOldest, room: 3)
    #expect(
      queue.add(output([("a", 1), ("b", 2), ("a", 3), ("b", 4), ("b", 5)], at: 7), connection: 1) == true)
    #expect(queue.add(output([("a", 6)]), connection: 1) == false)
    #expect(queue.messageCount == 3)
    #expect(queue.takeLoss() == WaitingQueue.Loss(messages: 3, bytes: 45, keys: ["a": 2, "b": 1]))
    #expect(queue.takeLoss() == nil)
    #expect(drain(&queue) == ["4", "5", "6"])
    #expect(
      queue.takeEpisode(at: nil)
        == WaitingQueue.Episode(began: Timestamp(milliseconds: 7), droppedMessages: 3, droppedBytes: 45))
    #expect(queue.droppedMessages == 3 && queue.droppedBytes == 45)
    // Another episode counts from nothing, and is told again.
    #expect(queue.add(output((1...4).map { ("a", $0) }), connection: 1) == true)
    #expect(queue.episode?.droppedMessages == 1 && queue.droppedMessages == 4)
  }

  @Test("events don't give way, and messages keep their place between them")
  func events() {
    var queue = queue(.dropOldest, room: 2)
    _ = queue.add(output([("a", 1), ("a", 2)], events: [.opened, .ended]), connection: 1)
    _ = queue.add(output([("a", 3), ("a", 4)], events: [.opened]), connection: 2)
    #expect(drain(&queue) == ["opened", "ended", "opened", "3", "4"])
  }

  @Test("a message that is larger than all room is kept as the only one")
  func giant() {
    var queue = queue(.dropOldest, room: 1)
    #expect(queue.add(output([(String(repeating: "x", count: 1_000), 1)]), connection: 1) == false)
    #expect(queue.add(output([(String(repeating: "y", count: 1_000), 2)]), connection: 1) == true)
    #expect(drain(&queue) == ["2"])
  }

  @Test("where keys can't be seen, or there are too many, any may miss something", arguments: [true, false])
  func wideLoss(hasKeys: Bool) {
    var queue = queue(.dropOldest, room: 1, keys: hasKeys ? Self.keys : nil)
    _ = queue.add(output((0...(WaitingQueue.maximumKeys + 1)).map { ("\($0)", 1) }), connection: 1)
    let loss = queue.takeLoss()
    #expect(loss?.messages == WaitingQueue.maximumKeys + 1 && loss?.keys == nil)
  }

  @Test("with latest_per_key messages give way to the latest of their key")
  func latest() {
    var queue = queue(.latestPerKey, room: 8)
    let messages = (0..<9).map { (["a", "b", "c"][$0 % 3], $0) }
    #expect(queue.add(output(messages, at: 3), connection: 1) == true)
    #expect(queue.messageCount == 3)
    #expect(queue.takeLoss() == WaitingQueue.Loss(messages: 6, bytes: 90, keys: ["a": 2, "b": 2, "c": 2]))
    #expect(drain(&queue) == ["6", "7", "8"])
    #expect(queue.episode?.droppedMessages == 6)
  }

  @Test("of more keys than there is room for the oldest give way")
  func tooManyKeys() {
    var queue = queue(.latestPerKey, room: 8)
    #expect(queue.add(output((0..<9).map { ("\($0)", $0) }), connection: 1) == true)
    #expect(drain(&queue) == ["3", "4", "5", "6", "7", "8"])
  }

  @Test("events stay between the messages that are left, and connections are kept apart")
  func latestWithEvents() {
    var queue = queue(.latestPerKey, room: 4)
    _ = queue.add(output([("a", 1), ("b", 2)], events: [.opened, .ended]), connection: 1)
    _ = queue.add(output([("a", 3), ("c", 4), ("c", 5)], events: [.opened]), connection: 2)
    #expect(drain(&queue) == ["opened", "2", "ended", "opened", "3", "5"])
  }

  @Test("a message gives way only to one that agrees with it at all paths, none at all being the same")
  func severalPaths() {
    let keys = MessageKeys(paths: [FieldPath("k"), FieldPath("n")], isShared: false)
    var queue = queue(.latestPerKey, room: 4, keys: keys)
    _ = queue.add(output([("a", 1), ("a", 2), ("a", 1), ("b", 1), ("a", 2)]), connection: 1)
    #expect(queue.takeLoss() == WaitingQueue.Loss(messages: 2, bytes: 30, keys: nil))
    #expect(drain(&queue) == ["1", "1", "2"])
    var all = self.queue(.latestPerKey, room: 4, keys: MessageKeys(paths: [], isShared: false))
    _ = all.add(output((1...5).map { ("a", $0) }), connection: 1)
    #expect(drain(&all) == ["5"])
  }

  @Test("where keys can't be seen, latest_per_key drops the oldest")
  func unseenKeys() {
    var queue = queue(.latestPerKey, room: 4, keys: nil)
    _ = queue.add(output((1...5).map { ("a", $0) }), connection: 1)
    #expect(drain(&queue) == ["2", "3", "4", "5"])
  }

  @Test("a position that a message holds goes with it; one behind a read alone keeps the read together")
  func positions() {
    var queue = WaitingQueue(QueueOptions())
    _ = queue.add(output([("a", 7), ("a", 8)], position: "8", positionPath: "n"), connection: 1)
    #expect(queue.lastPosition == "8")
    let batch = MessageBatch()
    #expect(queue.take(atMost: 1, into: batch)?.content == .messages(position: "7"))
    batch.removeAll()
    #expect(queue.take(atMost: 1, into: batch)?.content == .messages(position: "8"))
    #expect(queue.lastPosition == nil)
    _ = queue.add(output([("a", 1), ("a", 2)], position: "p2"), connection: 1)
    _ = queue.add(output([("a", 3)], position: "p3"), connection: 1)
    batch.removeAll()
    #expect(queue.take(atMost: 1, into: batch)?.content == .messages(position: "p3"))
    #expect(numbers(batch) == [1, 2, 3])
  }

  @Test(
    "memory is bounded however much comes, and what is counted is what waits",
    arguments: QueueOptions.Overflow.allCases)
  func bounded(overflow: QueueOptions.Overflow) {
    var queue = WaitingQueue(QueueOptions(overflow: overflow, maximumBytes: 65_536), keys: Self.keys)
    var sent = 0
    var random = SeededRandom(seed: 5)
    let batch = MessageBatch()
    var handled = 0
    for _ in 0..<2_000 {
      if !queue.isBlocked {
        let messages = (0..<20).map { _ in ("\(random.below(40))", 1) }
        sent += messages.count
        _ = queue.add(output(messages), connection: 1)
      }
      #expect(queue.bytes <= 65_536 + 20 * (16 + WaitingQueue.overhead))
      if random.below(4) == 0 {
        batch.removeAll()
        _ = queue.take(atMost: 15, into: batch)
        handled += batch.count
      }
    }
    #expect(sent == handled + queue.messageCount + Int(queue.droppedMessages))
    #expect((queue.droppedMessages == 0) == (overflow == .block))
    let left = queue.messageCount
    #expect(queue.removeAll() == left)
    #expect(queue.isEmpty && queue.bytes == 0 && queue.messageCount == 0)
  }
}
