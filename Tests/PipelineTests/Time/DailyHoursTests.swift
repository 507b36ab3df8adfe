import Testing

@testable import Pipeline

@Suite("Hours of a day")
struct DailyHoursTests {
  private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(parsing: text)) }

  @Test(
    "Hours end where clocks show their end, also over midnight and over changes of the clocks",
    arguments: [
      ("22:00-07:00 Europe/Berlin", "2026-11-30T21:30:00Z", "2026-12-01T06:00:00Z"),
      ("22:00-07:00 Europe/Berlin", "2026-12-01T05:59:59Z", "2026-12-01T06:00:00Z"),
      ("09:00-17:00 America/New_York", "2026-07-01T13:00:00Z", "2026-07-01T21:00:00Z"),
      // Set forward, an hour less, and set back, an hour more.
      ("22:00-07:00 Europe/Berlin", "2026-03-28T21:30:00Z", "2026-03-29T05:00:00Z"),
      ("22:00-07:00 Europe/Berlin", "2026-10-24T20:30:00Z", "2026-10-25T06:00:00Z"),
      // 02:30 is never shown on this day: the moment of the change.
      ("22:00-02:30 Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T01:00:00Z"),
      // 02:30 is shown twice: each has its end.
      ("22:00-02:30 Europe/Berlin", "2026-10-24T23:00:00Z", "2026-10-25T00:30:00Z"),
      ("22:00-02:30 Europe/Berlin", "2026-10-25T01:15:00Z", "2026-10-25T01:30:00Z"),
      ("22:00-07:00", "2026-12-31T23:00:00Z", "2027-01-01T07:00:00Z"),
    ])
  func ends(hours: String, time: String, end: String) throws {
    let hours = try #require(DailyHours(parsing: hours))
    let time = try Self.time(time)
    #expect(hours.contains(time))
    #expect(hours.end(after: time).rfc3339(fraction: false) == end)
  }

  @Test(
    "From every minute of a year within them, hours end within a day at a moment outside",
    arguments: [
      "22:00-02:30 Europe/Berlin", "01:30-02:15 America/New_York", "23:30-00:00 Australia/Lord_Howe",
    ])
  func always(text: String) throws {
    let hours = try #require(DailyHours(parsing: text))
    var time = try Self.time("2026-01-01T00:00:00Z")
    let last = try Self.time("2027-01-01T00:00:00Z")
    var faults = 0
    while time < last {
      if hours.contains(time) {
        let end = hours.end(after: time)
        let before = Timestamp(milliseconds: end.milliseconds - 1)
        if end <= time || hours.contains(end) || !hours.contains(before) || end > time + .minutes(24 * 60) {
          faults += 1
        }
      }
      time = time + .minutes(7)
    }
    #expect(faults == 0)
  }
}
