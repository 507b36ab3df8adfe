import Testing

@testable import Pipeline

@Suite struct TimestampTextTests {
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

  @Test("Days over 1600 years are written as they are read, those around 2000 all")
  func days() {
    for day in Array(stride(from: Int64(-370_000), to: 220_000, by: 97)) + Array(10_000..<12_000) {
      let time = Timestamp(milliseconds: day * 86_400_000 + 12_345_678)
      guard Timestamp(parsing: time.text) == time else {
        Issue.record("day \(day) is written as \(time.text)")
        return
      }
    }
    #expect(Timestamp(milliseconds: 1_798_741_800_042).text == "2026-12-31T18:30:00.042Z")
    #expect(Timestamp(milliseconds: .min).text == "-292275055-05-16T16:47:04.192Z")
    #expect(Timestamp(milliseconds: .max).text == "292278994-08-17T07:12:55.807Z")
  }
}
