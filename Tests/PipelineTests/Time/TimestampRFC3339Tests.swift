import Testing

@testable import Pipeline

@Suite("RFC 3339 times")
struct TimestampRFC3339Tests {
  @Test(
    "A point in time is written in UTC with milliseconds",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"),
      (-1, "1969-12-31T23:59:59.999Z"),
      (1_796_009_069_250, "2026-11-30T03:24:29.250Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (951_868_799_999, "2000-02-29T23:59:59.999Z"),
      (951_868_800_000, "2000-03-01T00:00:00.000Z"),
      (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
      (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
      (-2_203_891_200_001, "1900-02-28T23:59:59.999Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func written(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).rfc3339() == text)
  }

  @Test("Without the fraction the second before is written")
  func seconds() {
    #expect(Timestamp(milliseconds: 1_999).rfc3339(fraction: false) == "1970-01-01T00:00:01Z")
    #expect(Timestamp(milliseconds: -1).rfc3339(fraction: false) == "1969-12-31T23:59:59Z")
  }

  @Test("The ends of the range are written without a trap")
  func extremes() {
    #expect(Timestamp(milliseconds: .max).rfc3339() == "+292278994-08-17T07:12:55.807Z")
    #expect(Timestamp(milliseconds: .min).rfc3339() == "-292275055-05-16T16:47:04.192Z")
  }

  @Test("Each day of 800 years follows the one before")
  func everyDay() {
    let lengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var days: Int64 = -135_140  // 1600-01-01
    for year in Int64(1_600)..<2_400 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for month in 0..<12 {
        for day in 1...(lengths[month] + (month == 1 && isLeap ? 1 : 0)) {
          let text = Timestamp(milliseconds: days * 86_400_000).rfc3339(fraction: false)
          let expected = "\(year)-\(pad(Int64(month + 1)))-\(pad(day))T00:00:00Z"
          if text != expected { Issue.record("\(text) is not \(expected)") }
          days += 1
        }
      }
    }
  }

  private func pad(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
