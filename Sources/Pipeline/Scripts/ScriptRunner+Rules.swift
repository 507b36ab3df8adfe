internal import Scripting

/// What rules learn besides values: how the sources are, and which keys to watch.
extension ScriptRunner {
  /// Tells the rules what a source does: data that stops coming neither fires nor resolves anything.
  package func source(_ number: UInt16, is state: RuleSource, at time: Timestamp) {
    let (before, beforeOfAll) = (self.state(of: number), self.state(of: RuleTable.unknownSource))
    let isFirst = sourceStates.updateValue(state, forKey: number) == nil
    if before != state { tellRules(number, is: state, isFirst: isFirst, at: time) }
    let ofAll = self.state(of: RuleTable.unknownSource)
    if beforeOfAll != ofAll { tellRules(RuleTable.unknownSource, is: ofAll, isFirst: isFirst, at: time) }
  }

  /// What a source does now; of one that isn't known the worst that any of the script's does.
  func state(of source: UInt16) -> RuleSource {
    guard source == RuleTable.unknownSource else {
      return sourceStates[source] ?? (sources.contains(source) ? .down : .live)
    }
    let states = sources.map(state(of:))
    return states.contains(.down) ? .down : states.contains(.stale) ? .stale : .live
  }

  private func tellRules(_ source: UInt16, is state: RuleSource, isFirst: Bool, at time: Timestamp) {
    let due = session.rules.forEach(of: source) { rule, ruleState in
      switch state {
      case .live:
        // What came before the first connection is told by a restart.
        if !isFirst { rule.gap(&ruleState) }
        rule.sourceConnected(&ruleState, at: time)
      case .down: rule.sourceLost(&ruleState, at: time)
      case .stale: break
      }
    }
    for place in due {
      if let next = session.rules.state(place).nextDue { session.expect(place, due: next) }
    }
  }

  /// Has rules about missing data watch the keys that they name, heard of or not.
  func armRules(at time: Timestamp) {
    let isConnected = state(of: RuleTable.unknownSource) == .live
    for (index, rule) in session.rules.rules.enumerated() where !rule.keys.isEmpty {
      let keys = rule.keys.map { Int(machine.key($0)) }
      for place in session.rules.arm(index, keys: keys, at: time, isConnected: isConnected) {
        if let due = session.rules.state(place).nextDue { session.expect(place, due: due) }
      }
    }
  }
}
