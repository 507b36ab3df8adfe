import TestPeers
import Testing

@testable import Pipeline

@Suite struct RulePropertyTests {
  static let count: UInt64 = 2_000

  @Test("Each true episode gives exactly one alert, and each told one exactly one resolve")
  func episodes() {
    var fired = 0
    for seed in 0..<Self.count {
      var generator = SeededGenerator(seed: seed)
      let series = RuleSeries(RuleSeries.levelRule(&generator), &generator)
      let told = series.run().told
      let expected = RuleReference(series: series).told
      fired += expected.count
      guard told == expected else {
        Issue.record("seed \(seed): \(series.rule)\n\(series.samples)\ngot \(told)\nexpected \(expected)")
        return
      }
    }
    #expect(fired > Int(Self.count), "the series are too quiet to prove anything")
  }

  @Test("A crossing rule tells what a pair of one-way rules tells")
  func crossings() {
    for seed in 0..<Self.count {
      var generator = SeededGenerator(seed: seed)
      let series = RuleSeries(.test(.crosses(5)), &generator)
      let up = RuleSeries.times(.test(.crossesAbove(5), resolves: false), series.samples)
      let down = RuleSeries.times(.test(.crossesBelow(5), resolves: false), series.samples)
      let both = RuleSeries.times(series.rule, series.samples)
      guard both == (up + down).sorted() else {
        Issue.record("seed \(seed): \(series.samples)\ngot \(both)\nexpected \(up) and \(down)")
        return
      }
    }
  }

  @Test("A change is found exactly where comparing with every value of the window finds it")
  func changes() {
    for seed in 0..<Self.count {
      var generator = SeededGenerator(seed: seed)
      let within = generator.pick([1, 3, 7] as [Int64])
      let amount = generator.pick([2.0, 4])
      let series = RuleSeries(
        .test(.changes(by: .absolute(amount), within: .seconds(within)), resolves: false), &generator)
      var expected: [Double] = []
      var wasTrue = false
      for (index, sample) in series.samples.enumerated() {
        let oldest = (sample.second - Double(within)).rounded(.down)
        let isTrue = series.samples[..<index].contains {
          $0.second.rounded(.down) >= oldest && abs($0.value - sample.value) >= amount
        }
        if isTrue, !wasTrue { expected.append(sample.second) }
        wasTrue = isTrue
      }
      let told = RuleSeries.times(series.rule, series.samples)
      guard told == expected else {
        Issue.record("seed \(seed): \(series.samples)\ngot \(told)\nexpected \(expected)")
        return
      }
    }
  }

  @Test("Missing data is told at each silence that is long enough, and only there")
  func missing() {
    for seed in 0..<Self.count {
      var generator = SeededGenerator(seed: seed)
      let series = RuleSeries(.test(.noData(for: .seconds(2))), &generator)
      var expected: [Double] = []
      for (index, sample) in series.samples.enumerated() {
        let next = index + 1 < series.samples.count ? series.samples[index + 1].second : series.end
        if next >= sample.second + 2 { expected.append(sample.second + 2) }
      }
      let told = series.run().outcomes.compactMap { outcome -> Double? in
        guard case .fire(let episode) = outcome else { return nil }
        return Double(episode.time.milliseconds) / 1_000
      }
      guard told == expected else {
        Issue.record("seed \(seed): \(series.samples)\ngot \(told)\nexpected \(expected)")
        return
      }
    }
  }

  @Test("A restart without downtime, anywhere, changes nothing")
  func restarts() {
    compare { series, generator in
      var random = generator
      return series.run { run, _ in if Bool.random(using: &random) { run.restore() } }
    }
  }

  @Test("Duplicated messages, marked or not, change nothing")
  func duplicates() {
    compare { series, generator in
      var random = generator
      return series.run { run, index in
        guard index > 0, index < series.samples.count else { return }
        let last = series.samples[index - 1]
        if Bool.random(using: &random) { run.give(last.value, at: last.second) }
        let any = series.samples[Int.random(in: 0..<index, using: &random)]
        if Bool.random(using: &random) {
          run.tell(
            run.rule.check(
              &run.state, &run.window, value: any.value,
              at: Timestamp(milliseconds: Int64(any.second * 1_000)), context: .replayed))
        }
      }
    }
  }

  @Test("Late messages change nothing unless they are accepted")
  func late() {
    compare(where: { !$0.acceptsLate }) { series, generator in
      var random = generator
      return series.run { run, index in
        guard index > 1, index < series.samples.count, Bool.random(using: &random) else { return }
        let value = Double(Int.random(in: 0...9, using: &random))
        let second = series.samples[index - 1].second - random.pick([0.001, 2])
        run.tell(
          run.rule.check(
            &run.state, &run.window, value: value, at: Timestamp(milliseconds: Int64(second * 1_000))))
      }
    }
  }

  @Test("Gaps, anywhere, neither fire nor resolve: with the source live, all that is due comes at its time")
  func gaps() {
    compare(ignoring: .acrossGap) { series, generator in
      var random = generator
      return series.run { run, _ in if Bool.random(using: &random) { run.rule.gap(&run.state) } }
    }
  }

  @Test("While a source is down nothing is told: what falls due waits, and the same is true of a restart")
  func disconnections() {
    for seed in 0..<Self.count {
      var generator = SeededGenerator(seed: seed)
      let rule = RuleSeries.anyRule(&generator)
      let series = RuleSeries(rule, &generator)
      var random = generator
      let run = series.run { run, index in
        guard index > 0, index < series.samples.count, Int.random(in: 0..<3, using: &random) == 0 else {
          return
        }
        let (from, to) = (series.samples[index - 1].second, series.samples[index].second)
        let before = run.outcomes.count
        run.rule.sourceLost(&run.state, at: Timestamp(milliseconds: Int64(from * 1_000)))
        if Bool.random(using: &random) {
          run.restore()
          run.rule.restart(&run.state, at: Timestamp(milliseconds: Int64(from * 1_000)))
        }
        run.source = .down
        run.advance(to: to)
        if run.outcomes.count != before { Issue.record("seed \(seed): told while down") }
        run.source = .live
        run.rule.gap(&run.state)
        run.rule.sourceConnected(&run.state, at: Timestamp(milliseconds: Int64(to * 1_000)))
      }
      checkOrder(run, seed)
    }
  }

  @Test("The same series gives the same alerts, alone or among other keys")
  func deterministic() {
    compare { series, generator in
      var random = generator
      var others = (0..<3).map { _ in RuleRun(series.rule) }
      return series.run { run, index in
        guard index < series.samples.count else { return }
        others[index % 3].give(
          Double(Int.random(in: 0...9, using: &random)), at: series.samples[index].second)
      }
    }
  }

  /// Runs random rules over random series, plainly and in another way, and expects the same outcomes.
  private func compare(
    ignoring remark: RuleEpisode.Remarks = [], where isWanted: (AlertRule) -> Bool = { _ in true },
    _ other: (RuleSeries, SeededGenerator) -> RuleRun
  ) {
    var told = 0
    for seed in 0..<Self.count {
      var generator = SeededGenerator(seed: seed)
      let rule = RuleSeries.anyRule(&generator)
      guard isWanted(rule) else { continue }
      let series = RuleSeries(rule, &generator)
      let plain = series.run()
      let changed = other(series, generator)
      told += plain.outcomes.count
      checkOrder(plain, seed)
      let outcomes = changed.outcomes.map { $0.without(remark) }
      guard outcomes == plain.outcomes, changed.state.phase == plain.state.phase else {
        Issue.record("seed \(seed): \(rule)\n\(series.samples)\ngot \(changed.told)\nexpected \(plain.told)")
        return
      }
    }
    #expect(told > Int(Self.count), "the series are too quiet to prove anything")
  }

  /// Expects episodes numbered one after the other, each resolved at most once and reminded of in order, and
  /// only while it goes on.
  private func checkOrder(_ run: RuleRun, _ seed: UInt64) {
    var number: UInt32 = 0
    var reminders: UInt32 = 0
    var isOpen = false
    var isInOrder = true
    let isCrossing = run.rule.condition == .crosses(5)
    for outcome in run.outcomes {
      switch outcome {
      case .fire(let episode):
        number += 1
        reminders = 0
        isInOrder =
          isInOrder && episode.number == number && (!isOpen || isCrossing || !run.rule.resolves)
        isOpen = true
      case .resolve(let episode):
        isInOrder = isInOrder && episode.number == number && isOpen
        isOpen = false
      case .remind(let episode):
        reminders += 1
        isInOrder = isInOrder && episode.number == number && episode.reminder == reminders && isOpen
      case .nothing, .refused: isInOrder = false
      }
    }
    if run.rule.once, number > 1 { isInOrder = false }
    if run.rule.resolves, !isCrossing, isOpen != run.state.isTold { isInOrder = false }
    if !isInOrder { Issue.record("seed \(seed): \(run.rule)\n\(run.told)") }
  }
}

extension RuleSeries {
  /// When a rule fires over samples, in seconds.
  static func times(_ rule: AlertRule, _ samples: [Sample]) -> [Double] {
    var run = RuleRun(rule)
    for sample in samples { run.give(sample.value, at: sample.second) }
    return run.outcomes.compactMap { $0.episode.map { Double($0.time.milliseconds) / 1_000 } }
  }
}

extension RuleOutcome {
  /// The outcome without a remark.
  fileprivate func without(_ remark: RuleEpisode.Remarks) -> Self {
    guard var episode else { return self }
    episode.remarks.subtract(remark)
    switch self {
    case .fire: return .fire(episode)
    case .resolve: return .resolve(episode)
    case .remind: return .remind(episode)
    case .nothing, .refused: return self
    }
  }
}
