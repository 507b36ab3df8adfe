/// Which alerts one replay has and another one lacks, or has at another time.
package struct AlertComparison: Sendable {
  package enum Change: Sendable, Hashable {
    /// Only the second replay has it.
    case new(Alert)
    /// Only the first replay has it.
    case gone(Alert)
    /// Both have it, at different times.
    case moved(from: Alert, to: Alert)
  }

  /// What differs, in order of time.
  package let changes: [Change]
  /// Alerts that both have at the same time.
  package let sameCount: Int

  /// More pairs of alerts than this between two equal ones are paired in their order, not by nearness.
  private static let maximumPairs = 1_000_000

  private struct Line: Hashable {
    var script: String
    var name: String
    var key: String
    var kind: Alert.Kind
  }

  /// Compares alerts, script for script, rule for rule, key for key.
  ///
  /// Those at equal times are the same. What is left between two of these is paired so that as many as possible
  /// have a partner, and partners are as close in time as possible: they have moved.
  package init(_ first: [Alert], _ second: [Alert]) {
    var changes: [Change] = []
    var sameCount = 0
    let (old, new) = (Self.byLine(first), Self.byLine(second))
    for line in Set(old.keys).union(new.keys) {
      var (a, b) = ((old[line] ?? [])[...], (new[line] ?? [])[...])
      while !a.isEmpty || !b.isEmpty {
        let (before, after) = Self.untilEqual(a, b)
        changes += Self.pair(Array(a.prefix(before)), Array(b.prefix(after)))
        (a, b) = (a.dropFirst(before), b.dropFirst(after))
        guard !a.isEmpty, !b.isEmpty else { continue }
        sameCount += 1
        (a, b) = (a.dropFirst(), b.dropFirst())
      }
    }
    self.changes = changes.sorted { Self.order($0) < Self.order($1) }
    self.sameCount = sameCount
  }

  private static func order(_ change: Change) -> (Timestamp, String, String, String, String) {
    let alert =
      switch change {
      case .new(let alert), .gone(let alert): alert
      case .moved(let from, let to): min(from, to) { $0.time < $1.time }
      }
    return (alert.time, alert.script, alert.name, alert.key, alert.id)
  }

  private static func min(_ a: Alert, _ b: Alert, by isBefore: (Alert, Alert) -> Bool) -> Alert {
    isBefore(b, a) ? b : a
  }

  private static func byLine(_ alerts: [Alert]) -> [Line: [Alert]] {
    let lines = Dictionary(grouping: alerts) {
      Line(script: $0.script, name: $0.name, key: $0.key, kind: $0.kind)
    }
    // Stable: alerts of one time keep their order.
    return lines.mapValues { alerts in
      alerts.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
        \.element)
    }
  }

  /// How many of both come before the first two at one time.
  private static func untilEqual(_ a: ArraySlice<Alert>, _ b: ArraySlice<Alert>) -> (Int, Int) {
    var (i, j) = (a.startIndex, b.startIndex)
    while i < a.endIndex, j < b.endIndex, a[i].time != b[j].time {
      if a[i].time < b[j].time { i += 1 } else { j += 1 }
    }
    guard i < a.endIndex, j < b.endIndex else { return (a.count, b.count) }
    return (i - a.startIndex, j - b.startIndex)
  }

  private static func pair(_ a: [Alert], _ b: [Alert]) -> [Change] {
    guard !a.isEmpty, !b.isEmpty else { return a.map(Change.gone) + b.map(Change.new) }
    if a.count > b.count {
      return pair(b, a).map { change in
        switch change {
        case .gone(let alert): .new(alert)
        case .new(let alert): .gone(alert)
        case .moved(let from, let to): .moved(from: to, to: from)
        }
      }
    }
    let partners = partners(of: a, in: b)
    let moved = zip(a, partners).map { Change.moved(from: $0, to: b[$1]) }
    let taken = Set(partners)
    return moved + b.indices.filter { !taken.contains($0) }.map { Change.new(b[$0]) }
  }

  /// For each of the fewer alerts one of the others, in order, with the least distance in all.
  private static func partners(of a: [Alert], in b: [Alert]) -> [Int] {
    let spare = b.count - a.count
    guard spare > 0, a.count * (spare + 1) <= maximumPairs else { return Array(a.indices) }
    // costs[i][s]: the least distance of the first i, when s of the others were passed over so far.
    var costs = [[Double]](repeating: [Double](repeating: 0, count: spare + 1), count: a.count + 1)
    for i in 1...a.count {
      var least = Double.infinity
      for s in 0...spare {
        least = Swift.min(least, costs[i - 1][s])
        costs[i][s] = least + abs(Double((a[i - 1].time - b[i - 1 + s].time).count))
      }
    }
    var partners: [Int] = []
    var s = spare
    for i in stride(from: a.count, through: 1, by: -1) {
      let row = costs[i][...s]
      s = row.firstIndex(of: row.min() ?? 0) ?? 0
      partners.append(i - 1 + s)
    }
    return partners.reversed()
  }
}
