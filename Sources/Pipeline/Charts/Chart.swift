/// What one rule was given for one key, and what came of it: all that a picture shows.
package struct Chart: Sendable {
  /// A level of the rule's condition.
  struct Level: Sendable, Hashable {
    var value: Double
    /// Whether it ends an episode, and doesn't begin one.
    var clears: Bool
    /// What it is, in a word or two.
    var name: String
  }

  var script: String
  var rule: String
  var key: String
  var levels: [Level]
  var series: ValueSeries
  var alerts: [Alert] = []

  /// The title of the picture.
  var title: String { key.isEmpty ? "\(script): \(rule)" : "\(script): \(rule) [\(key)]" }
}

extension AlertRule {
  /// The levels of the rule's condition, those that begin an episode first.
  var chartLevels: [Chart.Level] {
    var levels: [Chart.Level]
    switch condition {
    case .crossesAbove(let level): levels = [.init(value: level, clears: false, name: "crosses above")]
    case .crossesBelow(let level): levels = [.init(value: level, clears: false, name: "crosses below")]
    case .crosses(let level): levels = [.init(value: level, clears: false, name: "crosses")]
    case .above(let level): levels = [.init(value: level, clears: false, name: "above")]
    case .below(let level): levels = [.init(value: level, clears: false, name: "below")]
    case .inside(let low, let high):
      levels = [
        .init(value: low, clears: false, name: "inside from"),
        .init(value: high, clears: false, name: "inside to"),
      ]
    case .outside(let low, let high):
      levels = [
        .init(value: low, clears: false, name: "outside below"),
        .init(value: high, clears: false, name: "outside above"),
      ]
    case .changes, .noData, .decidedByScript: levels = []
    }
    if let clearBelow { levels.append(.init(value: clearBelow, clears: true, name: "clears below")) }
    if let clearAbove { levels.append(.init(value: clearAbove, clears: true, name: "clears above")) }
    return levels
  }
}
