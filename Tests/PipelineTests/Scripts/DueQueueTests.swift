import Scripting
import Testing

@testable import Pipeline

@Suite("A queue of due times")
struct DueQueueTests {
  @Test("gives items by time, and those of one time in the order they came")
  func order() {
    var queue = DueQueue<Int>()
    var random = SystemRandomNumberGenerator()
    var expected: [(time: Int64, item: Int)] = []
    for item in 0..<1_000 {
      let time = Int64.random(in: 0..<50, using: &random)
      queue.add(item, due: Timestamp(milliseconds: time))
      expected.append((time, item))
    }
    expected.sort { ($0.time, $0.item) < ($1.time, $1.item) }
    var given: [Int] = []
    while let (item, _) = queue.popFirst(by: Timestamp(milliseconds: 100)) { given.append(item) }
    #expect(given == expected.map(\.item))
    #expect(queue.earliest == nil)
  }

  @Test("keeps what is not due")
  func notDue() {
    var queue = DueQueue<String>()
    queue.add("later", due: Timestamp(milliseconds: 10))
    let early = queue.popFirst(by: Timestamp(milliseconds: 9))
    #expect(early == nil)
    let due = queue.popFirst(by: Timestamp(milliseconds: 10))
    #expect(due?.item == "later")
  }
}

@Suite("A script's timers")
struct TimerTableTests {
  private let name = ScriptTimer.Name(key: "k", action: "remind")

  private func timer(_ due: Int64) -> ScriptTimer {
    ScriptTimer(due: Timestamp(milliseconds: due), payload: .null)
  }

  @Test("setting a timer again replaces it")
  func replace() {
    var timers = TimerTable()
    timers.set(name, to: timer(10), run: 1)
    timers.set(name, to: timer(20), run: 2)
    let early = timers.popFirst(by: Timestamp(milliseconds: 15))
    #expect(early == nil)
    let due = timers.popFirst(by: Timestamp(milliseconds: 20))
    #expect(due?.timer == timer(20))
    let more = timers.popFirst(by: Timestamp(milliseconds: 99))
    #expect(more == nil)
  }

  @Test("a failed run's changes are taken back, an earlier run's are not")
  func undo() {
    var timers = TimerTable()
    timers.set(name, to: timer(10), run: 1)
    timers.set(name, to: timer(20), run: 2)
    timers.set(name, to: nil, run: 2)
    timers.undo(run: 2)
    #expect(timers.timer(name) == timer(10))
    timers.undo(run: 1)
    #expect(timers.timer(name) == timer(10), "run 1 was accepted when run 2 began")
  }
}

@Suite("Leaving a script alone")
struct SuspensionTests {
  @Test("comes after three ends by a limit in a row, for twice as long each time")
  func suspension() {
    func expect(_ wait: Milliseconds?, _ expected: Milliseconds?) { #expect(wait == expected) }
    var suspension = Suspension()
    let start = Timestamp(milliseconds: 0)
    expect(suspension.ended(at: start), nil)
    suspension.passed()
    expect(suspension.ended(at: start), nil)
    expect(suspension.ended(at: start), nil)
    expect(suspension.ended(at: start), .seconds(10))
    let isActive = suspension.isActive(at: Timestamp(milliseconds: 9_999))
    #expect(isActive)
    let isOver = !suspension.isActive(at: Timestamp(milliseconds: 10_000))
    #expect(isOver)
    for _ in 0..<2 { expect(suspension.ended(at: start), nil) }
    expect(suspension.ended(at: start), .seconds(20))
  }
}
