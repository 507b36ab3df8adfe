/// A condition on a value and everything about how alerts come of it: an immutable declaration.
///
/// What happened so far is in a ``RuleState`` per key, which the methods of the rule move on. A rule does
/// no input or output, starts no timer and reads no clock: times are given, alerts are returned, and
/// ``nextDue(_:_:)`` says when ``due(_:_:at:source:)`` must be called. All times given for one state are of
/// one time line. At equal times, what is due comes before a value.
package struct AlertRule: Sendable, Hashable {
  /// What the first value of a key does when it fulfils the condition.
  package enum FirstValue: String, Sendable, CaseIterable {
    /// It is taken for the state of things, and tells nothing.
    case arm
    /// It counts like any other value.
    case fire
  }

  /// When a rule counts as flapping: more than so many changes between true and false within a time.
  package struct Flapping: Sendable, Hashable {
    /// The number of changes that is still calm, 1 to 1,000.
    package var changes: Int
    package var within: Milliseconds

    /// Makes the limit from its parts.
    package init(changes: Int, within: Milliseconds) {
      self.changes = min(max(changes, 1), 1_000)
      self.within = within
    }
  }

  package let name: String
  package let condition: RuleCondition
  /// The level at or below which the condition counts as over, where the hysteresis asks for one.
  package let clearBelow: Double?
  /// The level at or above which the condition counts as over, where the hysteresis asks for one.
  package let clearAbove: Double?
  /// How long every value must fulfil the condition before the rule fires; zero for at once.
  package let forDuration: Milliseconds
  /// How long after an alert the next episode is held; zero for not at all.
  package let cooldown: Milliseconds
  package let first: FirstValue
  /// Whether the end of a told episode is told. Never for ``RuleCondition/crosses(_:)``.
  package let resolves: Bool
  package let severity: Severity
  package let labels: [String: String]
  /// How often to remind while firing; zero for never.
  package let repeatEvery: Milliseconds
  /// Whether each key fires only a single time.
  package let once: Bool
  /// From when on nothing fires and nothing is reminded of; what was told before is still resolved.
  package let expires: Timestamp?
  package let flapping: Flapping?
  /// Whether values older than the last of their key count.
  package let acceptsLate: Bool
  /// The text of its alerts, nil for one made from the condition or by the script.
  package let text: String?
  /// The keys that a rule about missing data watches from the start.
  package let keys: [String]
  /// The levels of the condition, prepared for the path of each message.
  let levels: RuleLevels

  /// Makes a rule from its parts; ``init(reading:functions:)`` is the one that checks what users wrote.
  ///
  /// - Parameter first: nil for what suits the condition: crossings arm, everything else fires.
  package init(
    name: String, condition: RuleCondition, clearBelow: Double? = nil, clearAbove: Double? = nil,
    forDuration: Milliseconds = .zero, cooldown: Milliseconds = .zero, first: FirstValue? = nil,
    resolves: Bool = true, severity: Severity = .info, labels: [String: String] = [:],
    repeatEvery: Milliseconds = .zero, once: Bool = false, expires: Timestamp? = nil,
    flapping: Flapping? = nil, acceptsLate: Bool = false, text: String? = nil, keys: [String] = []
  ) {
    self.name = name
    self.condition = condition
    self.clearBelow = clearBelow
    self.clearAbove = clearAbove
    self.forDuration = forDuration
    self.cooldown = cooldown
    self.first = first ?? (condition.isCrossing ? .arm : .fire)
    if case .crosses = condition { self.resolves = false } else { self.resolves = resolves }
    self.severity = severity
    self.labels = labels
    self.repeatEvery = repeatEvery
    self.once = once
    self.expires = expires
    self.flapping = flapping
    self.acceptsLate = acceptsLate
    self.text = text
    self.keys = keys
    levels = RuleLevels(condition, clearBelow: clearBelow, clearAbove: clearAbove)
  }

  /// Whether the rule remembers more than a ``RuleState`` holds: then a ``RuleWindow`` per key goes with it.
  package var needsWindow: Bool {
    if case .changes = condition { true } else { flapping != nil }
  }
}
