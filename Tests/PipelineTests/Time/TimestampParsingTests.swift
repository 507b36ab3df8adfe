import Testing

@testable import Pipeline

@Suite struct TimestampParsingTests {
  @Test(
    "RFC 3339 and plain dates are read",
    arguments: [
      ("1970-01-01", 0), ("1970-01-01T00:00:00Z", 0), ("2026-12-31", 1_798_675_200_000),
      ("2026-12-31T18:30:00Z", 1_798_741_800_000), ("2026-12-31T18:30:00.25+01:00", 1_798_738_200_250),
      ("2024-02-29T23:59:59.999999999-00:30", 1_709_252_999_999), ("1969-12-31T23:59:59Z", -1_000),
      ("0000-03-01", -62_162_035_200_000),
    ] as [(String, Int64)])
  func reading(_ text: String, _ milliseconds: Int64) {
    #expect(Timestamp(parsing: text)?.milliseconds == milliseconds)
  }

  @Test(
    "Anything else is no date",
    arguments: [
      "", "2026", "2026-13-01", "2026-00-01", "2026-02-29", "2100-02-29", "2026-04-31", "2026-1-1",
      "2026-12-31T",
      "2026-12-31T18:30Z", "2026-12-31T18:30:00", "2026-12-31T24:00:00Z", "2026-12-31T23:59:60Z",
      "2026-12-31T18:30:00.Z", "2026-12-31T18:30:00.1234567890Z", "2026-12-31T18:30:00+1:00", "2026-12-31 ",
      "2026-12-31T18:30:00Zx", "+026-12-31",
    ])
  func refusal(_ text: String) {
    #expect(Timestamp(parsing: text) == nil)
  }

  @Test("Every day from 1890 to 2110 is one day after the day before it")
  func days() {
    var expected = Int64(-29_219)
    for year in 1890...2110 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (month, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
        for day in 1...length {
          let text = "\(year)-\(month < 9 ? "0" : "")\(month + 1)-\(day < 10 ? "0" : "")\(day)"
          if Timestamp(parsing: text)?.milliseconds != expected * 86_400_000 {
            Issue.record("\(text) is not day \(expected)")
          }
          expected += 1
        }
      }
    }
  }
}
