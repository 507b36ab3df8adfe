import Testing

@testable import Pipeline

@Suite("What happens again and again")
struct RecurrenceTests {
  private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(parsing: text)) }

  private static func daily(_ time: String, _ zone: String) throws -> Recurrence {
    .daily(try #require(TimeOfDay(parsing: time)), try #require(TimeZone(zone)))
  }

  private static func series(_ recurrence: Recurrence, from start: String, _ count: Int) throws -> [String] {
    var time = try time(start)
    return (0..<count).map { _ in
      time = recurrence.next(after: time)
      return time.rfc3339(fraction: false)
    }
  }

  @Test("daily keeps to the clock of its zone when summer time begins and ends")
  func daily() throws {
    let morning = try Self.daily("08:00", "Europe/Berlin")
    #expect(
      try Self.series(morning, from: "2026-03-28T06:59:59Z", 3) == [
        "2026-03-28T07:00:00Z", "2026-03-29T06:00:00Z", "2026-03-30T06:00:00Z",
      ])
    #expect(
      try Self.series(morning, from: "2026-10-24T06:00:00Z", 2) == [
        "2026-10-25T07:00:00Z", "2026-10-26T07:00:00Z",
      ])
  }

  @Test("each day has it once, also the days on which its hour is missing or comes twice")
  func changes() throws {
    let night = try Self.daily("02:30", "Europe/Berlin")
    #expect(
      try Self.series(night, from: "2026-03-28T12:00:00Z", 2) == [
        "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z",
      ])
    #expect(
      try Self.series(night, from: "2026-10-24T12:00:00Z", 2) == [
        "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z",
      ])
  }

  @Test("every day of ten years has it once, in zones of all kinds")
  func years() throws {
    for name in [
      "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu",
    ] {
      let zone = try #require(TimeZone(name))
      let recurrence = try Self.daily("00:00", name)
      var time = try Self.time("2020-01-01T12:00:00Z")
      var last = zone.civil(at: time)
      for _ in 0..<3_650 {
        time = recurrence.next(after: time)
        let day = zone.civil(at: time)
        #expect(
          (day.yearDay == last.yearDay + 1) || (day.yearDay == 1 && last.yearDay >= 365), "\(name) \(day)")
        last = day
      }
    }
  }

  @Test("aligned spans begin with the full minute, also before 1970")
  func aligned() throws {
    let minutes = Recurrence.aligned(.minutes(1))
    #expect(
      try Self.series(minutes, from: "2026-01-01T00:00:30Z", 2) == [
        "2026-01-01T00:01:00Z", "2026-01-01T00:02:00Z",
      ])
    #expect(minutes.next(after: Timestamp(milliseconds: -1)).milliseconds == 0)
    #expect(minutes.next(after: Timestamp(milliseconds: -60_000)).milliseconds == 0)
  }

  @Test("a stored time that was missed is kept, one that another recurrence left is replaced")
  func resumption() throws {
    let now = try Self.time("2026-01-01T12:00:00Z")
    let missed = try Self.time("2025-12-30T08:00:00Z")
    let odd = try Self.time("2026-01-02T09:17:00Z")
    let daily = try Self.daily("08:00", "UTC")
    #expect(daily.resumed(from: missed, at: now) == missed)
    #expect(daily.resumed(from: odd, at: now) == (try Self.time("2026-01-02T08:00:00Z")))
    #expect(daily.resumed(from: nil, at: now) == (try Self.time("2026-01-02T08:00:00Z")))
    let hourly = Recurrence.every(.minutes(60))
    #expect(hourly.resumed(from: now + .minutes(10), at: now) == now + .minutes(10))
    #expect(hourly.resumed(from: odd, at: now) == now + .minutes(60))
  }
}
