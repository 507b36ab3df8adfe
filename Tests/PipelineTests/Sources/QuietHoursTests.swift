import Testing

@testable import Pipeline

@Suite("Quiet hours")
struct QuietHoursTests {
  @Test(
    "hours, days of the week and dates go by the clock of their zone",
    arguments: [
      ("16:00-09:30 America/New_York", "2026-07-01T13:29:00Z", true),
      ("16:00-09:30 America/New_York", "2026-07-01T13:30:00Z", false),
      ("sat-sun America/New_York", "2026-07-04T03:59:00Z", false),
      ("sat-sun America/New_York", "2026-07-04T04:00:00Z", true),
      ("sat-sun America/New_York", "2026-07-06T03:59:00Z", true),
      ("fri-mon", "2026-07-02T23:59:00Z", false), ("fri-mon", "2026-07-06T12:00:00Z", true),
      ("Sun", "2026-07-05T12:00:00Z", true), ("Sun", "2026-07-06T12:00:00Z", false),
      ("2026-12-25 Asia/Tokyo", "2026-12-24T15:00:00Z", true),
      ("2026-12-25 Asia/Tokyo", "2026-12-25T15:00:00Z", false),
    ])
  func contains(text: String, time: String, isQuiet: Bool) throws {
    var hours = QuietHours()
    #expect(hours.isEmpty)
    let isKnown = hours.add(text)
    #expect(isKnown && !hours.isEmpty)
    #expect(hours.contains(try #require(Timestamp(parsing: time))) == isQuiet)
  }

  @Test(
    "anything else is refused",
    arguments: [
      "", "someday", "mon-tue-wed", "sat-", "25:00-07:00", "sat Nowhere/City", "2026-13-01", "12-25",
    ])
  func refused(text: String) {
    var hours = QuietHours()
    let isKnown = hours.add(text)
    #expect(!isKnown && hours.isEmpty)
  }
}
