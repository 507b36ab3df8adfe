import Testing

@testable import Pipeline

@Suite("How much one turn takes")
struct TurnPaceTests {
  @Test("a slow script gets one message at a time, soon after it became slow")
  func slow() {
    var pace = TurnPace()
    #expect(pace.limit == 8)
    for _ in 0..<40 { pace.note(messages: 60, nanoseconds: 60_000) }
    #expect(pace.limit > 1_000)
    pace.note(messages: 100, nanoseconds: 100 * 50_000_000)
    #expect(pace.limit == 1)
  }

  @Test("one hiccup of the machine is soon forgotten")
  func hiccup() {
    var pace = TurnPace()
    for _ in 0..<40 { pace.note(messages: 1, nanoseconds: 2_000) }
    pace.note(messages: 1, nanoseconds: 6_000_000)
    #expect(pace.limit < 10)
    for _ in 0..<20 { pace.note(messages: 1, nanoseconds: 2_000) }
    #expect(pace.limit > 100)
  }
}
