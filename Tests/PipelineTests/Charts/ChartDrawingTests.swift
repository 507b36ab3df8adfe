import Testing

@testable import Pipeline

@Suite("Drawn charts")
struct ChartDrawingTests {
  /// A picture of values a second apart from each of some times on, under a name and with levels.
  private static func svg(
    from starts: [Int64], title: String = "over", levels: [Double] = [], outages: [ChartRecorder.Outage] = []
  ) -> String {
    var series = ValueSeries()
    for start in starts {
      for second in 0..<100 as Range<Int64> { series.add(Double(second % 7), at: (start + second) * 1_000) }
    }
    let levels = levels.map { Chart.Level(value: $0, clears: false, name: "above") }
    let chart = Chart(script: "s", rule: title, key: "", levels: levels, series: series)
    let points = series.points
    return ChartDrawing.svg(
      of: [chart], outages: outages, span: (points.first?.time ?? 0)...(points.last?.time ?? 0))
  }

  /// How many pieces the line of values has.
  private static func pieces(_ svg: String) -> Int {
    let line = svg.split(separator: "\n").first { $0.contains("class=\"series\"") }
    return line?.count { $0 == "M" } ?? 0
  }

  @Test("the line is broken where values kept away for far longer than usual, and nowhere else")
  func silence() {
    #expect(Self.pieces(Self.svg(from: [0])) == 1)
    #expect(Self.pieces(Self.svg(from: [0, 103])) == 1)
    #expect(Self.pieces(Self.svg(from: [0, 7_200])) == 2)
  }

  @Test("levels are named with all their digits, and what users wrote is escaped")
  func names() {
    let svg = Self.svg(from: [0], title: "a & <b> \"c\"", levels: [1.0625])
    #expect(svg.contains(">above 1.0625<"))
    #expect(svg.contains("s: a &amp; &lt;b&gt; &quot;c&quot;"))
  }

  @Test("the legend names what the picture shows, and nothing else")
  func legend() throws {
    func outage(from second: Int64) -> ChartRecorder.Outage {
      ChartRecorder.Outage(from: Timestamp(milliseconds: second * 1_000), to: nil)
    }
    #expect(Self.svg(from: [0], outages: [outage(from: 50)]).contains("no data: stale or disconnected"))
    #expect(!Self.svg(from: [0], outages: [outage(from: 99)]).contains("no data: stale or disconnected"))
  }
}
