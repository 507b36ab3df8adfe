/// Gathers what the rules of a replay are given.
///
/// Confined to the host that plays.
package final class ChartRecorder {
  /// The most rules with their keys that are looked at; the first ones count.
  static let maximumSeries = 200
  /// The most alerts that are kept of one of them.
  static let maximumAlerts = 20_000
  private static let maximumOutages = 2_000

  /// A time without data of a source.
  package struct Outage: Sendable, Hashable {
    var from: Timestamp
    /// Nil while it lasts.
    var to: Timestamp?
  }

  /// Which rules and keys are wanted; nil for any.
  let rule: String?
  let key: String?
  private var observers: [ScriptObserver] = []
  private var charts: [Place: Chart] = [:]
  package private(set) var outages: [Outage] = []
  private var openOutages: [Int: Int] = [:]

  private struct Place: Hashable {
    var script: String
    var rule: String
    var key: String
  }

  /// Makes a recorder of some rules and keys, or of any.
  package init(rule: String? = nil, key: String? = nil) {
    self.rule = rule
    self.key = key
  }

  /// Looks at scripts from now on.
  package func watch(_ runners: [ScriptRunner]) {
    observers = runners.map { ScriptObserver($0, self) }
    for (observer, runner) in zip(observers, runners) { runner.observeRules(observer) }
  }

  /// Takes note of a connection.
  package func tell(_ event: RecordedEvent) {
    switch event.event {
    case .connecting: break
    case .connected:
      if let index = openOutages.removeValue(forKey: event.source) { outages[index].to = event.time }
    case .stale, .disconnected:
      guard openOutages[event.source] == nil, outages.count < Self.maximumOutages else { return }
      openOutages[event.source] = outages.count
      outages.append(Outage(from: event.time))
    }
  }

  /// Takes note of alerts.
  package func add(_ alerts: [Alert]) {
    for observer in observers { observer.settle() }
    for alert in alerts {
      let place = Place(script: alert.script, rule: alert.name, key: alert.key)
      guard let count = charts[place]?.alerts.count, count < Self.maximumAlerts else { continue }
      charts[place]?.alerts.append(alert)
    }
  }

  /// The charts with values, those with the most alerts first; at most so many.
  package func finish(limit: Int) -> [Chart] {
    for observer in observers { observer.settle() }
    let found = charts.values.filter { $0.series.count > 0 }.sorted {
      ($1.alerts.count, $0.script, $0.rule, $0.key) < ($0.alerts.count, $1.script, $1.rule, $1.key)
    }
    return Array(found.prefix(limit))
  }

  fileprivate func take(_ sample: ScriptObserver.Sample, of runner: ScriptRunner) {
    let rule = runner.rules[sample.rule]
    guard self.rule == nil || self.rule == rule.name else { return }
    let key = runner.keyName(sample.key)
    guard self.key == nil || self.key == key else { return }
    let place = Place(script: runner.name, rule: rule.name, key: key)
    if charts[place] == nil {
      guard charts.count < Self.maximumSeries else { return }
      charts[place] = Chart(
        script: runner.name, rule: rule.name, key: key, levels: rule.chartLevels, series: ValueSeries())
    }
    charts[place]?.series.add(sample.value, at: sample.time.milliseconds)
  }
}

/// Sees the values of one script; those of a run count once the next one begins, since a run can be undone.
private final class ScriptObserver: RuleObserver {
  struct Sample {
    var rule: Int
    var key: UInt32
    var value: Double
    var time: Timestamp
  }

  private let runner: ScriptRunner
  private unowned let recorder: ChartRecorder
  private var run: UInt32?
  private var samples: [Sample] = []

  init(_ runner: ScriptRunner, _ recorder: ChartRecorder) {
    self.runner = runner
    self.recorder = recorder
  }

  func checked(rule: Int, key: UInt32, value: Double, at time: Timestamp, run: UInt32) {
    if run != self.run {
      settle()
      self.run = run
    }
    samples.append(Sample(rule: rule, key: key, value: value, time: time))
  }

  func undone(run: UInt32) {
    guard run == self.run else { return }
    samples.removeAll(keepingCapacity: true)
    self.run = nil
  }

  func settle() {
    for sample in samples { recorder.take(sample, of: runner) }
    samples.removeAll(keepingCapacity: true)
    run = nil
  }
}
