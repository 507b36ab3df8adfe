import TestPeers

@testable import Pipeline

/// A value at a second.
struct Sample: Equatable {
  var second: Double
  var value: Double
}

/// Makes random rules and random series around their levels.
struct RuleSeries {
  let rule: AlertRule
  let samples: [Sample]
  /// The end of the series in seconds, after the last sample.
  let end: Double

  /// A series for a given rule, of values 0 to 9 at intervals of 0 to 3 seconds.
  init(_ rule: AlertRule, _ generator: inout SeededGenerator) {
    self.rule = rule
    var second = 0.0
    var value = Double(Int.random(in: 0...9, using: &generator))
    samples = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
      second += generator.pick([0, 0.5, 1, 1, 1, 2, 3])
      if Bool.random(using: &generator) {
        value = Double(Int.random(in: 0...9, using: &generator))
      } else {
        value = min(9, max(0, value + generator.pick([-1, 0, 0.5, 1])))
      }
      return Sample(second: second, value: value)
    }
    end = second + 12
  }

  /// A level or crossing rule with a band, a duration and a cooldown, of which the reference knows all.
  static func levelRule(_ generator: inout SeededGenerator) -> AlertRule {
    let duration = generator.pick([0, 0, 2, 3] as [Int64])
    let cooldown = generator.pick([0, 0, 4, 9] as [Int64])
    let first = generator.pick([nil, .arm, .fire] as [AlertRule.FirstValue?])
    func rule(_ condition: RuleCondition, _ below: Double? = nil, _ above: Double? = nil) -> AlertRule {
      .test(condition, clearBelow: below, clearAbove: above, for: duration, cooldown: cooldown, first: first)
    }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return rule(.crossesAbove(6), generator.pick([nil, 6, 5, 3]))
    case 1: return rule(.above(6), generator.pick([nil, 6, 5, 3]))
    case 2: return rule(.crossesBelow(3), nil, generator.pick([nil, 3, 4, 7]))
    case 3: return rule(.below(3), nil, generator.pick([nil, 3, 4, 7]))
    case 4: return rule(.inside(low: 4, high: 6), generator.pick([nil, 4, 2]), generator.pick([nil, 6, 8]))
    default:
      return rule(.outside(low: 2, high: 8), generator.pick([nil, 8, 7]), generator.pick([nil, 2, 4]))
    }
  }

  /// Any rule at all.
  static func anyRule(_ generator: inout SeededGenerator) -> AlertRule {
    let level = levelRule(&generator)
    let condition: RuleCondition =
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: .crosses(5)
      case 1: .changes(by: .percent(50), within: .seconds(4))
      case 2: .changes(by: .absolute(3), within: .seconds(9))
      case 3: .noData(for: .seconds(2))
      default: level.condition
      }
    let isNoData = if case .noData = condition { true } else { false }
    return AlertRule(
      name: "r", condition: condition, clearBelow: level.clearBelow, clearAbove: level.clearAbove,
      forDuration: isNoData ? .zero : level.forDuration, cooldown: level.cooldown,
      first: condition == level.condition ? level.first : nil,
      resolves: generator.pick([true, true, false]),
      repeatEvery: .seconds(generator.pick([0, 0, 2, 5])), once: generator.pick([false, false, false, true]),
      expires: generator.pick([nil, nil, nil, Timestamp(milliseconds: 30_000)]),
      flapping: generator.pick([nil, nil, .init(changes: 3, within: .seconds(8))]),
      acceptsLate: Bool.random(using: &generator))
  }

  /// Runs the series, with a closure before each sample.
  func run(before: (inout RuleRun, Int) -> Void = { _, _ in }) -> RuleRun {
    var run = RuleRun(rule)
    for (index, sample) in samples.enumerated() {
      before(&run, index)
      run.give(sample.value, at: sample.second)
    }
    before(&run, samples.count)
    run.advance(to: end)
    return run
  }
}

/// What a level rule should tell, found by looking over the whole series instead of moving along it.
struct RuleReference {
  let series: RuleSeries

  private struct Episode {
    var start: Double
    var ready: Double
    var end: Double?
  }

  /// The alerts as ``RuleRun/told`` writes them.
  var told: [String] {
    let cooldown = Double(series.rule.cooldown.count) / 1_000
    var told: [String] = []
    var number = 0
    var held = 0
    var quietUntil = -Double.infinity
    for episode in episodes {
      let time = max(episode.ready, quietUntil)
      guard time == episode.ready || time <= episode.end ?? series.end else {
        if episode.end != nil { held += 1 }
        continue
      }
      number += 1
      told.append(
        "fire \(number) at \(LuaText.number(time))" + (time > episode.ready ? " held" : "")
          + (held > 0 ? " +\(held)" : ""))
      held = 0
      if cooldown > 0 { quietUntil = time + cooldown }
      if let end = episode.end { told.append("resolve \(number) at \(LuaText.number(end))") }
    }
    return told
  }

  private var episodes: [Episode] {
    let samples = series.samples
    let duration = Double(series.rule.forDuration.count) / 1_000
    var episodes: [Episode] = []
    var position = 0
    if series.rule.first == .arm, isReached(samples[0].value) {
      guard let over = samples.firstIndex(where: { isOver($0.value) }) else { return [] }
      position = over
    }
    while let start = samples[position...].firstIndex(where: { isReached($0.value) }) {
      let ready = samples[start].second + duration
      let broken = samples[start...].firstIndex { !isReached($0.value) }
      if duration > 0, let broken, samples[broken].second < ready {
        position = broken
        continue
      }
      guard ready <= series.end else { break }
      let over = samples[start...].firstIndex { isOver($0.value) }
      episodes.append(
        Episode(start: samples[start].second, ready: ready, end: over.map { samples[$0].second }))
      guard let over else { break }
      position = over
    }
    return episodes
  }

  private func isReached(_ value: Double) -> Bool {
    switch series.rule.condition {
    case .crossesAbove(let level), .above(let level): value >= level
    case .crossesBelow(let level), .below(let level): value <= level
    case .inside(let low, let high): value >= low && value <= high
    case .outside(let low, let high): value <= low || value >= high
    default: false
    }
  }

  private func isOver(_ value: Double) -> Bool {
    guard !isReached(value) else { return false }
    let (below, above) = (series.rule.clearBelow, series.rule.clearAbove)
    switch series.rule.condition {
    case .inside(let low, _):
      return value < low ? below.map { value <= $0 } ?? true : above.map { value >= $0 } ?? true
    case .outside: return (above.map { value >= $0 } ?? true) && (below.map { value <= $0 } ?? true)
    default: return (below.map { value <= $0 } ?? true) && (above.map { value >= $0 } ?? true)
    }
  }
}
