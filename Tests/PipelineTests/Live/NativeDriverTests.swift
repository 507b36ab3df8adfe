import Scripting
import Testing

@testable import Pipeline

@Suite("Sources written in Swift")
struct NativeDriverTests {
  /// Hands out what it was made with.
  private struct Source: NativeSource {
    let body: @Sendable (MessageSender, String?) async throws -> Void
    func run(sending messages: MessageSender, after position: String?) async throws {
      try await body(messages, position)
    }
  }

  private struct Lost: Error, CustomStringConvertible { var description: String { "the line is down" } }

  /// What a driver gives until its connection ends, and how it ends.
  private func play(
    after position: String? = nil, _ body: @escaping @Sendable (MessageSender, String?) async throws -> Void
  ) async -> (messages: [String], position: String?, events: [SourceOutput.Event]) {
    let driver = NativeDriver(Source(body: body))
    driver.connect(1, position: position)
    var result: (messages: [String], position: String?, events: [SourceOutput.Event]) = ([], nil, [])
    while result.events.count < 2 {
      let batch = MessageBatch()
      var output = SourceOutput(batch: batch, time: Timestamp(milliseconds: 5), epoch: 1)
      driver.process(now: 0, into: &output)
      for index in 0..<batch.count {
        result.messages.append(String(decoding: batch.bytes(at: index), as: UTF8.self))
      }
      result.position = output.position ?? result.position
      result.events += output.events
      await Task.yield()
    }
    return result
  }

  @Test("messages come in order, with the last position, and the end of the source is its end")
  func order() async {
    let result = await play(after: "7") { messages, position in
      for number in 1...3 { try await messages.send("\(position ?? "")\(number)", position: "\(number)") }
    }
    #expect(result.messages == ["71", "72", "73"] && result.position == "3")
    #expect(result.events == [.opened, .ended])
  }

  @Test("an error is a lost connection with its text, behind the messages before it")
  func loss() async {
    let result = await play { messages, _ in
      try await messages.send("1")
      throw Lost()
    }
    #expect(result.messages == ["1"])
    #expect(result.events == [.opened, .closed(SourceMachine.End(reason: "the line is down"))])
  }

  @Test("a message beyond the bound is refused, one at it isn't")
  func size() async {
    let result = await play { messages, _ in
      try await messages.send(bytes: [UInt8](repeating: 0x31, count: MessageSender.maximumBytes))
      try await messages.send(bytes: [UInt8](repeating: 0x31, count: MessageSender.maximumBytes + 1))
    }
    #expect(result.messages.map(\.utf8.count) == [MessageSender.maximumBytes])
    guard case .closed(let end)? = result.events.last else {
      Issue.record("expected a loss, got \(result.events)")
      return
    }
    #expect(end.reason == "a message of 1048577 bytes was refused: the limit is 1048576")
  }

  @Test("a sender waits while too many messages are on their way, even empty ones, and none is lost")
  func bound() async throws {
    let queue = try NativeQueue()
    let count = NativeQueue.messageCapacity * 2 + 1
    let sender = Task {
      for _ in 0..<count { try await queue.add([], position: nil) }
      queue.finish(nil)
    }
    var taken = 0
    var largest = 0
    while true {
      let contents = queue.take()
      taken += contents.ends.count
      largest = max(largest, contents.ends.count)
      if contents.end != nil { break }
      await Task.yield()
    }
    try await sender.value
    #expect(taken == count && largest <= NativeQueue.messageCapacity)
  }

  @Test(
    "a sender that waits is told when its task is cancelled, and when the connection ends",
    arguments: [true, false])
  func ends(isCancelled: Bool) async throws {
    let queue = try NativeQueue()
    try await queue.add([UInt8](repeating: 0, count: NativeQueue.capacity), position: nil)
    let sender = Task { try await queue.add([0], position: nil) }
    if isCancelled { sender.cancel() } else { queue.close() }
    await #expect(throws: CancellationError.self) { try await sender.value }
  }
}

@Suite("Reducers written in Swift")
struct NativeRunnerTests {
  private struct Count: NativeReducer {
    struct State: NativeState {
      var count = 0
      init() {}
      init(stored value: Value) throws { count = Int(value.double ?? 0) }
      var stored: Value { .integer(Int64(count)) }
    }

    struct Refused: Error, CustomStringConvertible { var description: String { "refused" } }

    let topics = ["counts"]
    func key(of message: NativeMessage) -> String? { message.value["key"]?.text }
    func reduce(into state: inout State, message: NativeMessage) throws -> [NativeEffect] {
      state.count += 1
      if message.value["fails"] == true { throw Refused() }
      let topic = message.value["topic"]?.text ?? "counts"
      return [
        .alert(name: "count", text: "\(state.count)"), .emit(topic: topic, .integer(Int64(state.count))),
      ]
    }
  }

  private func told(_ outcome: NativeOutcome) -> String {
    switch outcome {
    case .skipped: "skipped"
    case .accepted(let alerts, _, _): alerts.map(\.text).joined()
    case .failed(let reason): reason
    }
  }

  private func alert(_ outcome: NativeOutcome) -> Alert? {
    if case .accepted(let alerts, _, _) = outcome { alerts.first } else { nil }
  }

  @Test("each key has a state, a failure changes nothing, and a message without a key is skipped")
  func keys() {
    let runner = NativeRunner(name: "trial", reducer: Count())
    let told = [
      ["key": "a"], ["key": "b"], ["key": "a", "fails": true], ["key": "a"], ["x": 1],
      ["key": "a", "topic": "cuonts"], ["key": "a"],
    ].map { (value: Value) in self.told(runner.handle(NativeMessage(value))) }
    #expect(
      told == [
        "1", "1", "refused", "2", "skipped", "emits the unknown topic 'cuonts'; did you mean 'counts'?", "3",
      ])
  }

  @Test("states and the numbers of alerts go on from storage, and another storage's alerts have other ids")
  func restart() throws {
    let first = NativeRunner(name: "trial", reducer: Count())
    let one = try #require(alert(first.handle(NativeMessage(["key": "a"]))))
    var commit = Commit()
    first.collect(into: &commit)
    #expect(!first.hasChanges)
    var snapshot = Snapshot()
    snapshot.states.append(commit.states)
    let second = NativeRunner(name: "trial", reducer: Count())
    #expect(second.restore(snapshot) == [])
    let two = try #require(alert(second.handle(NativeMessage(["key": "a"]))))
    #expect(two.text == "2" && two.id != one.id)
    var other = Snapshot()
    other.origin = "other"
    let third = NativeRunner(name: "trial", reducer: Count())
    #expect(third.restore(other) == [])
    let again = try #require(alert(third.handle(NativeMessage(["key": "a"]))))
    #expect(again.text == "1" && again.id != one.id)
  }
}
