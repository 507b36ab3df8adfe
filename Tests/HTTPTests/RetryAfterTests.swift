import Testing

@testable import HTTP

@Suite struct RetryAfterTests {
  @Test("reads seconds, dates and epochs")
  func forms() {
    #expect(RetryAfter("120") == .seconds(120))
    #expect(RetryAfter("0") == .seconds(0))
    #expect(RetryAfter("Fri, 31 Dec 1999 23:59:59 GMT") == .time(946_684_799))
    #expect(RetryAfter("1700000000") == .time(1_700_000_000))
    #expect(RetryAfter("1700000000123") == .time(1_700_000_000))
    #expect(RetryAfter("0.65") == .seconds(1))
    #expect(RetryAfter("64.57") == .seconds(65))
    #expect(RetryAfter("Sunday, 06-Nov-94 08:49:37 GMT") == .time(784_111_777))
    #expect(RetryAfter("Sun Nov  6 08:49:37 1994") == .time(784_111_777))
    for wrong in ["", "soon", "-5", "1.5x"] { #expect(RetryAfter(wrong) == nil) }
  }

  @Test("counts the seconds from now, and none for a time that is over")
  func waits() {
    #expect(RetryAfter.seconds(7).seconds(from: 1_000) == 7)
    #expect(RetryAfter.time(1_030).seconds(from: 1_000) == 30)
    #expect(RetryAfter.time(900).seconds(from: 1_000) == 0)
  }
}
