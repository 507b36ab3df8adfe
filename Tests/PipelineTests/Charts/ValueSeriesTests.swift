import Testing

@testable import Pipeline

@Suite("Long series of values")
struct ValueSeriesTests {
  @Test("a short series is kept as it is")
  func short() {
    var series = ValueSeries()
    for time in 0..<5 { series.add(Double(time * time), at: Int64(time) * 1_000) }
    #expect(series.points.map(\.value) == [0, 1, 4, 9, 16])
    #expect(series.points.map(\.time) == [0, 1_000, 2_000, 3_000, 4_000])
    #expect(series.range == 0...16)
  }

  @Test("of a long one the first, the last and every extreme are left, in few points")
  func long() {
    var series = ValueSeries(limit: 100)
    for time in 0..<1_000_000 {
      let value: Double = time == 123_456 ? -50 : time == 876_543 ? 70 : Double(time % 10)
      series.add(value, at: Int64(time))
    }
    let points = series.points
    #expect(series.count == 1_000_000)
    #expect(points.count <= 400)
    #expect(points.first == ValueSeries.Point(time: 0, value: 0))
    #expect(points.last == ValueSeries.Point(time: 999_999, value: 9))
    #expect(points.contains(ValueSeries.Point(time: 123_456, value: -50)))
    #expect(points.contains(ValueSeries.Point(time: 876_543, value: 70)))
    #expect(zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(series.range == -50...70)
  }

  @Test("an older value counts as of the time of the one before, and times before 1970 have their order")
  func older() {
    var series = ValueSeries(limit: 2)
    for time in [-5, -3, -4, 2, 9] as [Int64] { series.add(Double(time), at: time) }
    #expect(series.points.map(\.time) == series.points.map(\.time).sorted())
    #expect(series.range == -5...9)
  }
}
