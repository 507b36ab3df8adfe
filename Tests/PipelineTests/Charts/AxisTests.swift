import Testing

@testable import Pipeline

@Suite("Axes")
struct AxisTests {
  @Test(
    "values are marked at round numbers",
    arguments: [
      (0.0, 10.0, ["0", "2", "4", "6", "8", "10"]),
      (66_950.0, 67_120.0, ["66,950", "67,000", "67,050", "67,100"]),
      (-0.02, 0.03, ["−0.02", "−0.01", "0.00", "0.01", "0.02", "0.03"]),
    ])
  func values(low: Double, high: Double, expected: [String]) {
    let axis = ValueAxis(low...high, count: 6)
    #expect(axis.ticks.map(axis.label) == expected)
    #expect(axis.range.lowerBound < low && axis.range.upperBound > high)
  }

  @Test("one value alone has room above and below")
  func flat() {
    let axis = ValueAxis(5...5, count: 5)
    #expect(axis.range.lowerBound < 5 && axis.range.upperBound > 5)
    #expect(!axis.ticks.isEmpty)
    #expect(!ValueAxis(0...0, count: 5).ticks.isEmpty)
  }

  @Test("a level has all its digits, however round the marks are")
  func levels() {
    let axis = ValueAxis(-0.02...0.03, count: 6)
    #expect([0.0015, 0.01, -0.002, 0].map(axis.exactLabel) == ["0.0015", "0.01", "−0.002", "0.00"])
    #expect(ValueAxis(60_000...70_000, count: 6).exactLabel(67_123.45) == "67,123.45")
    #expect(ValueAxis(0...1, count: 6).exactLabel(1.0 / 3) == "0.333333333")
  }

  private static func labels(_ from: String, _ to: String) throws -> [String] {
    let from = try #require(Timestamp(parsing: from)).milliseconds
    let to = try #require(Timestamp(parsing: to)).milliseconds
    return TimeAxis(from...to, count: 6).ticks.map { ($0.day.map { day in day + " " } ?? "") + $0.label }
  }

  @Test("times are marked where a clock or a calendar is round")
  func times() throws {
    #expect(
      try Self.labels("2026-01-01T10:03:20Z", "2026-01-01T10:31:00Z") == [
        "2026-01-01 10:05", "10:10", "10:15", "10:20", "10:25", "10:30",
      ])
    #expect(
      try Self.labels("2026-01-01T18:00:00Z", "2026-01-02T06:00:00Z") == [
        "2026-01-01 18:00", "20:00", "22:00", "2026-01-02 00:00", "02:00", "04:00", "06:00",
      ])
    #expect(try Self.labels("2026-01-01T00:00:00Z", "2026-01-01T00:00:03Z").count <= 7)
    #expect(try Self.labels("2026-01-01", "2026-01-07").first == "2026-01-01")
    #expect(
      try Self.labels("2025-11-15", "2026-11-15") == [
        "2026-01", "2026-04", "2026-07", "2026-10",
      ])
    #expect(TimeAxis(5...5, count: 6).ticks.count > 0)
  }
}
