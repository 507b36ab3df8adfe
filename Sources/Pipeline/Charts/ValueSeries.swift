/// A long series of values kept small: extremes survive, and nothing between them that a picture could show.
///
/// Time is cut into spans of one width, each of which keeps its first, lowest, highest and last value. When there are
/// too many spans, the width doubles.
struct ValueSeries: Sendable {
  struct Point: Sendable, Hashable {
    /// Milliseconds since 1970 UTC.
    var time: Int64
    var value: Double
  }

  private struct Span {
    var index: Int64
    var first: Point
    var low: Point
    var high: Point
    var last: Point

    mutating func merge(_ other: Span) {
      if other.low.value < low.value { low = other.low }
      if other.high.value > high.value { high = other.high }
      last = other.last
    }
  }

  /// The most spans that are kept.
  let limit: Int
  /// Values added.
  private(set) var count = 0
  private var width: Int64 = 1
  private var spans: [Span] = []

  /// Makes an empty series.
  init(limit: Int = 1_500) { self.limit = max(limit, 2) }

  /// Adds a value; one that is older than the one before counts as of its time.
  mutating func add(_ value: Double, at time: Int64) {
    count += 1
    let time = max(time, spans.last?.last.time ?? time)
    let point = Point(time: time, value: value)
    let span = Span(index: Self.index(of: time, width), first: point, low: point, high: point, last: point)
    append(span, to: &spans)
    while spans.count > limit { halve() }
  }

  private func append(_ span: Span, to spans: inout [Span]) {
    if let last = spans.last, last.index == span.index {
      spans[spans.count - 1].merge(span)
    } else {
      spans.append(span)
    }
  }

  private mutating func halve() {
    let (doubled, isOver) = width.multipliedReportingOverflow(by: 2)
    guard !isOver else { return }
    width = doubled
    var merged: [Span] = []
    merged.reserveCapacity(limit + 1)
    for var span in spans {
      span.index = Self.index(of: span.first.time, width)
      append(span, to: &merged)
    }
    spans = merged
  }

  /// Rounded down, also before 1970.
  private static func index(of time: Int64, _ width: Int64) -> Int64 {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: width)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// What is left, in order of time: at most four points a span.
  var points: [Point] {
    var points: [Point] = []
    for span in spans {
      let middle = span.low.time <= span.high.time ? [span.low, span.high] : [span.high, span.low]
      for point in [span.first] + middle + [span.last] where points.last != point { points.append(point) }
    }
    return points
  }

  /// The lowest and the highest value, nil for an empty series.
  var range: ClosedRange<Double>? {
    guard var low = spans.first?.low.value, var high = spans.first?.high.value else { return nil }
    for span in spans {
      low = min(low, span.low.value)
      high = max(high, span.high.value)
    }
    return low...high
  }
}
