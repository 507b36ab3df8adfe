/// What a rule about changes within a time, or one that watches for flapping, remembers of one key.
///
/// Values are kept as the lowest and the highest of each second; windows longer than an hour use 3,600
/// equal spans instead, so that a key never keeps more than 3,601 of each. Changes are kept up to the limit
/// of the rule. Rules that need no window never touch one.
package struct RuleWindow: Sendable, Hashable {
  /// The least value of each span of time that may still become the window's lowest, values ascending.
  var lows = RuleExtremes()
  /// The greatest value of each span of time that may still become the window's highest, values descending.
  var highs = RuleExtremes()
  /// When the rule last changed between true and false, the oldest first.
  var changes: [Timestamp] = []

  /// Makes the window of a key never seen.
  package init() {}

  /// Takes in a value, forgets what is too old, and returns the extremes with it.
  mutating func add(_ value: Double, at time: Timestamp, within: Milliseconds) -> (low: Double, high: Double)
  {
    let span = max(1_000, ((within.count - 1) / 3_600_000 + 1) * 1_000)
    let start = time.milliseconds.flooredToMultiple(of: span)
    let oldest = (time + Milliseconds(-within.count)).milliseconds.flooredToMultiple(of: span)
    lows.forget(before: oldest)
    highs.forget(before: oldest)
    lows.add(value, at: start) { $0 >= value }
    highs.add(value, at: start) { $0 <= value }
    return (lows.first ?? value, highs.first ?? value)
  }

  /// Takes in a change and returns when the rule will be calm again, nil while it is.
  mutating func addChange(at time: Timestamp, _ limit: AlertRule.Flapping) -> Timestamp? {
    changes.append(time)
    if changes.count > limit.changes + 1 { changes.removeFirst(changes.count - limit.changes - 1) }
    guard changes.count == limit.changes + 1 else { return nil }
    let calm = changes[0] + limit.within
    return calm > time ? calm : nil
  }
}

/// The extremes of a sliding window: spans of time whose value is beaten by no later one.
struct RuleExtremes: Sendable, Hashable {
  struct Span: Sendable, Hashable {
    /// Where the span begins, in milliseconds since 1970-01-01 UTC.
    var start: Int64
    var value: Double
  }

  private(set) var spans: [Span] = []
  private var head = 0

  init() {}

  init(spans: [Span]) { self.spans = spans }

  var first: Double? { head < spans.count ? spans[head].value : nil }

  /// The spans that count, the oldest first.
  var live: ArraySlice<Span> { spans[head...] }

  mutating func forget(before oldest: Int64) {
    while head < spans.count, spans[head].start < oldest { head += 1 }
    if head > 16, head > spans.count / 2 {
      spans.removeFirst(head)
      head = 0
    }
  }

  mutating func add(_ value: Double, at start: Int64, beating isBeaten: (Double) -> Bool) {
    while spans.count > head, let last = spans.last, isBeaten(last.value) { spans.removeLast() }
    if spans.count > head, spans.last?.start == start { return }
    spans.append(Span(start: start, value: value))
  }

  static func == (a: Self, b: Self) -> Bool { a.live.elementsEqual(b.live) }

  func hash(into hasher: inout Hasher) {
    for span in live { hasher.combine(span) }
  }
}

extension Int64 {
  /// The greatest multiple of a positive number that isn't greater than this one.
  fileprivate func flooredToMultiple(of divisor: Int64) -> Int64 {
    let remainder = self % divisor
    guard remainder < 0 else { return self - remainder }
    let (floor, overflow) = subtractingReportingOverflow(remainder + divisor)
    return overflow ? .min : floor
  }
}
