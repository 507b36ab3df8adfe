internal import Scripting

/// Where a rule stands for one key, as the storage has it.
package struct StoredRule: Sendable, Hashable {
  /// The name of the script.
  package var script: String
  /// The name of the rule.
  package var rule: String
  package var key: String
  package var phase: RuleState.Phase
  /// When the episode going on, or last gone on, began; nil before the first.
  package var since: Timestamp?
  /// The last value that counted, nil before the first.
  package var value: Double?
  /// Whether an alert was sent whose end is still to come.
  package var isTold: Bool

  /// Reads a rule's row; nil for one that counts what `alert.send` sent.
  ///
  /// - Throws: ``InvalidRuleState`` for anything that no rule has written.
  init?(script: String, rule: String, key: String, data: String) throws {
    guard case .list(let items) = try Value(json: data), let first = items.first else { return nil }
    let state = try RuleState(first)
    self.script = script
    self.rule = rule
    self.key = key
    phase = state.phase
    since = state.since == RuleState.never ? nil : state.since
    value = state.value
    isTold = state.isTold
  }
}
