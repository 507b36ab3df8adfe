import Testing
@testable import WebSocket

@Suite struct RetryAfterTests {
  @Test("reads seconds, dates and epochs")
  func forms() {
    #expect(RetryAfter("120") == .seconds(120))
    #expect(RetryAfter("0") == .seconds(0))
    #expect(RetryAfter("Fri, 31 Dec 1999 23:59:59 GMT") == .time(946_684_799))
    #expect(RetryAfter("1700000000") == .time(1_700_000_000))
    #expect(RetryAfter("1700000000123") == .time(1_700_000_000))
    for wrong in ["", "soon", "-5", "1.5x"] { #expect(RetryAfter(wrong) == nil) }
  }
}
