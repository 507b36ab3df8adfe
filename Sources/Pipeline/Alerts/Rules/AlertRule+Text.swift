extension AlertRule {
  /// The condition in words, such as `at or above 70000`.
  package var conditionText: String {
    switch condition {
    case .crossesAbove(let level): "crossed above \(LuaText.number(level))"
    case .crossesBelow(let level): "crossed below \(LuaText.number(level))"
    case .crosses(let level): "crossed \(LuaText.number(level))"
    case .above(let level): "at or above \(LuaText.number(level))"
    case .below(let level): "at or below \(LuaText.number(level))"
    case .outside(let low, let high): "outside \(LuaText.number(low)) to \(LuaText.number(high))"
    case .inside(let low, let high): "inside \(LuaText.number(low)) to \(LuaText.number(high))"
    case .changes(.percent(let percent), let within):
      "changed by \(LuaText.number(percent)) % within \(within)"
    case .changes(.absolute(let amount), let within):
      "changed by \(LuaText.number(amount)) within \(within)"
    case .noData(let duration): "no data for \(duration)"
    case .decidedByScript: "true"
    }
  }

  /// What an alert says: the user's own text or one made from the condition, and whatever else its reader
  /// should know, in brackets.
  ///
  /// - Parameters:
  ///   - outcome: an outcome with an episode; nil for one without.
  ///   - key: the key of the state, shown in a text made from the condition; may be empty.
  ///   - written: what the script's `text` function returned for a fired alert, if it has one.
  package func text(for outcome: RuleOutcome, key: String = "", written: String? = nil) -> String? {
    guard let episode = outcome.episode else { return nil }
    let value = episode.value.map { " (last value \(LuaText.number($0)))" } ?? ""
    let made = "\(name)\(key.isEmpty ? "" : " [\(key)]"): \(conditionText)\(value)"
    let text =
      switch outcome {
      case .resolve: "resolved: \(written ?? text ?? made)"
      case .remind: "still: \(written ?? text ?? made)"
      default: written ?? text ?? made
      }
    let remarks = episode.remarkTexts(for: outcome)
    return remarks.isEmpty ? text : "\(text) (\(remarks.joined(separator: "; ")))"
  }

  /// Why a value was refused, in one sentence that the caller puts behind the place in the script.
  package func refusal(of value: Double) -> String {
    "rule '\(name)': expected a finite number, got \(value)"
  }
}

extension RuleEpisode {
  /// The remarks as clauses of a sentence, and how many episodes were held back before this one.
  fileprivate func remarkTexts(for outcome: RuleOutcome) -> [String] {
    var texts: [String] = []
    if remarks.contains(.whileDown) { texts.append("happened while the program was down") }
    if remarks.contains(.acrossGap) { texts.append("happened across a gap in the data") }
    if remarks.contains(.late) { texts.append("late, was due while no data came") }
    if remarks.contains(.flapping) {
      if case .resolve = outcome {
        texts.append("calm again")
      } else {
        texts.append("flapping, quiet until calm")
      }
    }
    if case .fire = outcome, held > 0 {
      texts.append("\(held) more \(held == 1 ? "episode" : "episodes") in the cooldown before")
    }
    return texts
  }
}
