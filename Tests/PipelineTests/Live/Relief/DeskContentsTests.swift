import Scripting
import Testing

@testable import Pipeline

@Suite("What a desk does with what waits")
struct DeskContentsTests {
  /// Gives what it is told to.
  private final class ScriptedDriver: SourceDriver {
    var messages: [[String]]
    let descriptor: Int32? = nil
    var nextDeadline: UInt64? { messages.isEmpty ? nil : 0 }
    var limits: [Int] = []
    let worksUnread: Bool

    init(_ messages: [[String]], worksUnread: Bool = false) {
      self.messages = messages
      self.worksUnread = worksUnread
    }

    func connect(_ connection: Int, position: String?) {}
    func sendOpening() {}
    func close(code: UInt16, reason: String) {}

    func process(now: UInt64, into output: inout SourceOutput) {
      limits.append(output.readLimit)
      guard output.readLimit > 0, !messages.isEmpty else { return }
      for message in messages.removeFirst() { Array(message.utf8).withUnsafeBytes { output.add($0) } }
    }
  }

  private func contents(_ drivers: [ScriptedDriver], _ options: QueueOptions = QueueOptions()) throws
    -> DeskContents
  {
    var contents = DeskContents(
      drivers.enumerated().map { number, driver in
        DeskContents.Source(name: "s\(number)", driver: driver, queue: WaitingQueue(options))
      }, loop: try EventLoop(), clock: WorldClock())
    let isNew = contents.schedule.callRelief()
    #expect(isNew)
    return contents
  }

  private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

  @Test("of all sources what came first is handled first")
  func merged() throws {
    var contents = try contents([
      ScriptedDriver([["1"], ["2"], ["5"]]), ScriptedDriver([["3", "4"], ["6"]]),
    ])
    for milliseconds in [10, 20, 30] as [Int64] { contents.readAhead([], now: 0, time: time(milliseconds)) }
    var order: [String] = []
    let batch = MessageBatch()
    while let input = contents.take(limits: [.max, .max], into: batch) {
      order += (0..<batch.count).map { String(decoding: batch.bytes(at: $0), as: UTF8.self) }
      if let oldest = input.oldest { #expect(oldest >= input.time) }
      batch.removeAll()
    }
    #expect(order == ["1", "3", "4", "6", "2", "5"])
  }

  @Test("a blocked source is not read; one with pings of its own is minded now and then")
  func blocked() throws {
    let (silent, talking) = (
      ScriptedDriver(Array(repeating: ["1", "2"], count: 4)),
      ScriptedDriver(Array(repeating: ["1", "2"], count: 4), worksUnread: true)
    )
    var contents = try contents(
      [silent, talking], QueueOptions(maximumBytes: 3 * (1 + WaitingQueue.overhead)))
    for now in 0..<4 { contents.readAhead([], now: UInt64(now) * 1_000_000, time: time(0)) }
    let usual = SourceOutput.usualReadLimit
    #expect(silent.limits == [usual, usual] && talking.limits == [usual, usual, 0])
    #expect(contents.takeLines().count == 2)
    contents.readAhead([], now: 60_000_000, time: time(0))
    #expect(silent.limits.count == 2 && talking.limits.suffix(2) == [0, 0])
    let (polls, sources, deadline) = contents.watched()
    #expect(polls.isEmpty && sources.isEmpty && deadline == 60_000_000 + DeskContents.blockedLook)
    let batch = MessageBatch()
    while contents.take(limits: [.max, .max], into: batch) != nil { batch.removeAll() }
    contents.readAhead([], now: 61_000_000, time: time(0))
    #expect(silent.limits.last == usual && talking.limits.last == usual)
    // Still the same episode, as nothing was told in between.
    #expect(contents.takeLines().isEmpty)
  }
}
