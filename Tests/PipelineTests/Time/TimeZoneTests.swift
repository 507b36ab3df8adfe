import Testing

@testable import Pipeline

@Suite("Time zones")
struct TimeZoneTests {
  private static func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(name)) }

  private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(parsing: text)) }

  @Test("a name that isn't in the database, or leads out of it, is no zone")
  func unknown() {
    for name in ["", "Europe/Atlantis", "/etc/passwd", "../../etc/passwd", "localtime", "Europe/Berlin\n"] {
      #expect(TimeZone(name) == nil, "\(name)")
    }
  }

  @Test("clocks show summer and winter time, also before 1970")
  func civil() throws {
    let berlin = try Self.zone("Europe/Berlin")
    let summer = berlin.civil(at: try Self.time("2026-07-01T10:30:15Z"))
    #expect((summer.hour, summer.minute, summer.second, summer.offset) == (12, 30, 15, 7_200))
    #expect((summer.year, summer.month, summer.day, summer.weekday, summer.yearDay) == (2026, 7, 1, 3, 182))
    #expect(berlin.civil(at: try Self.time("2026-12-31T23:30:00Z")).year == 2027)
    #expect(TimeZone.utc.civil(at: Timestamp(milliseconds: -1)).second == 59)
  }

  @Test("a time that comes twice is the first one, a skipped one the moment of the change")
  func changes() throws {
    let berlin = try Self.zone("Europe/Berlin")
    #expect(
      berlin.time(year: 2026, month: 10, day: 25, hour: 2, minute: 30)
        == (try Self.time("2026-10-25T00:30:00Z")))
    #expect(
      berlin.time(year: 2026, month: 3, day: 29, hour: 2, minute: 30)
        == (try Self.time("2026-03-29T01:00:00Z")))
    #expect(
      berlin.time(year: 2026, month: 2, day: 31, hour: 0, minute: 0)
        == (try Self.time("2026-03-02T23:00:00Z")))
  }

  @Test("local times are read in a zone, and an offset counts for more")
  func reading() throws {
    let berlin = try Self.zone("Europe/Berlin")
    for text in ["2026-07-01 12:30", "2026-07-01T12:30:00", "2026-07-01T10:30:00Z"] {
      #expect(Timestamp(parsing: text, in: berlin) == (try Self.time("2026-07-01T10:30:00Z")), "\(text)")
    }
    #expect(Timestamp(parsing: "2026-07-01", in: berlin) == (try Self.time("2026-06-30T22:00:00Z")))
    #expect(Timestamp(parsing: "2026-07-01 12:30") == nil)
    #expect(Timestamp(parsing: "2026-07-01T12:30:00") == nil)
    #expect(Timestamp(parsing: "2026-07-01 12:30:00.250", in: .utc)?.milliseconds == 1_782_909_000_250)
  }

  @Test(
    "patterns write local times",
    arguments: [
      ("%Y-%m-%d %H:%M:%S.%L", "2026-07-01 14:05:09.007"), ("%a %e %b, %I:%M %p", "Wed  1 Jul, 02:05 PM"),
      ("%A %B %j %u", "Wednesday July 182 3"), ("%F %T %R %z %Z", "2026-07-01 14:05:09 14:05 +0200 CEST"),
      ("100%% at %s", "100% at 1782907509"),
    ])
  func formats(pattern: String, expected: String) throws {
    let time = try Self.time("2026-07-01T12:05:09.007Z")
    #expect(try time.formatted(pattern, in: try Self.zone("Europe/Berlin")) == expected)
  }

  @Test("an unknown part of a pattern is named")
  func unknownPattern() {
    let zero = Timestamp(milliseconds: 0)
    #expect(throws: InvalidTimePattern.self) { try zero.formatted("%Q", in: .utc) }
    #expect(throws: InvalidTimePattern.self) { try zero.formatted("50%", in: .utc) }
  }
}
