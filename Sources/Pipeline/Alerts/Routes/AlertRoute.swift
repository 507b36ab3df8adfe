internal import Scripting

/// Which alerts go to which channels: conditions that must all hold, and the channels.
package struct AlertRoute: Sendable, Hashable {
  /// The least severity, nil for any.
  package var minSeverity: Severity?
  /// The alert's name, nil for any.
  package var rule: String?
  /// The alert's key, nil for any.
  package var key: String?
  /// Labels the alert must have with these texts.
  package var labels: [String: String]
  /// When the alert's condition must have become true, nil for any time.
  package var hours: DailyHours?
  /// The hours in which what it takes is held back, and told in one digest at their end; nil for never.
  package var hold: DailyHours?
  /// The names of the channels; none drops the alert.
  package var channels: [String]

  /// Makes a route from its parts.
  package init(
    minSeverity: Severity? = nil, rule: String? = nil, key: String? = nil, labels: [String: String] = [:],
    hours: DailyHours? = nil, hold: DailyHours? = nil, to channels: [String]
  ) {
    self.minSeverity = minSeverity
    self.rule = rule
    self.key = key
    self.labels = labels
    self.hours = hours
    self.hold = hold
    self.channels = channels
  }

  /// Every option of a route.
  package static let options: [OptionSpec] = [
    OptionSpec(
      "min_severity", .choice(Severity.allCases.map(\.name)), default: "any",
      help: "The least severity it takes."),
    OptionSpec("rule", .text, default: "any", help: "The name of the rule, or the one given to alert.send."),
    OptionSpec("key", .text, default: "any", help: "The key of the state."),
    OptionSpec("labels", .labels, default: "{}", help: "Labels that the alert must have with these texts."),
    OptionSpec(
      "hours", .text, default: "any",
      help:
        "When its condition must have become true, such as \"22:00-07:00 Europe/Berlin\"; UTC without a zone."
    ),
    OptionSpec(
      "hold", .text, default: "never",
      help:
        "Hours such as \"22:00-07:00 Europe/Berlin\" in which its alerts are kept, to be told in one digest at the "
        + "end; critical ones are not held, unless min_severity is \"critical\", and none is from an Alertmanager."
    ),
    OptionSpec(
      "to", .texts, required: true, help: "The names of the channels; an empty list drops the alert."),
  ]

  /// Whether an alert fulfils all conditions.
  package func takes(_ alert: Alert) -> Bool {
    if let minSeverity, alert.severity < minSeverity { return false }
    if let rule, alert.name != rule { return false }
    if let key, alert.key != key { return false }
    // By the beginning of the episode, so that its end takes the way that it took.
    if let hours, !hours.contains(alert.since ?? alert.time) { return false }
    return labels.allSatisfy { alert.labels[$0.key] == $0.value }
  }

  /// The hours in which it holds back an alert that it takes.
  package func hold(for alert: Alert) -> DailyHours? {
    alert.severity < .critical || minSeverity == .critical ? hold : nil
  }

  /// Whether it takes every alert.
  package var takesEverything: Bool {
    (minSeverity ?? .info) == .info && rule == nil && key == nil && labels.isEmpty && hours == nil
  }

  /// Reads a route of a configuration.
  ///
  /// - Parameter channels: the names of the channels that exist.
  /// - Throws: ``InvalidOptions`` with every fault at once.
  init(reading value: Value, channels known: [String]) throws(InvalidOptions) {
    var reader = OptionReader(value, specs: Self.options)
    let severity = reader.choice("min_severity").flatMap(Severity.init(name:))
    let rule = reader.text("rule")
    let key = reader.text("key")
    let labels = reader.labels("labels")
    let hours = Self.hours("hours", &reader)
    let hold = Self.hours("hold", &reader)
    let channels = reader.texts("to") ?? []
    if !reader.has("to") { reader.report("to", expected: "a list of channel names") }
    for (index, channel) in channels.enumerated() {
      if !known.contains(channel) {
        let nearest = Suggestion.nearest(to: channel, among: known)
        let suggestion = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
        reader.report(
          "to", expected: "names of channels", got: "\(LuaText.found(.text(channel)))\(suggestion)")
      } else if channels[..<index].contains(channel) {
        reader.report("to", expected: "each channel once", got: "\(LuaText.found(.text(channel))) twice")
      }
    }
    guard reader.findings.isEmpty else { throw InvalidOptions(findings: reader.findings) }
    self.init(
      minSeverity: severity, rule: rule, key: key, labels: labels ?? [:], hours: hours, hold: hold,
      to: channels)
  }

  private static func hours(_ name: String, _ reader: inout OptionReader) -> DailyHours? {
    guard let text = reader.text(name) else { return nil }
    let hours = DailyHours(parsing: text)
    if hours == nil {
      reader.report(name, expected: "hours and a time zone such as \"22:00-07:00 Europe/Berlin\"")
    }
    return hours
  }
}
