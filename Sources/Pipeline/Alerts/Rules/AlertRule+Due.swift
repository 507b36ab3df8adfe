extension AlertRule {
  /// Moves a key on because time passed, for a rule that needs no window.
  package func due(_ state: inout RuleState, at now: Timestamp, source: RuleSource) -> RuleOutcome {
    precondition(!needsWindow, "the rule needs its window")
    var window = RuleWindow()
    return due(&state, &window, at: now, source: source)
  }

  /// Moves a key on because time passed: an episode lasted long enough, a cooldown or a calm is over, a
  /// reminder or an alarm about missing data is due.
  ///
  /// Each call handles one thing; the host calls again while ``RuleState/nextDue`` isn't later than now. A
  /// call too early changes nothing. While the source gives nothing, and from a start of the program on, what falls
  /// due waits for the next value; only missing data is also noticed on a source that is connected and mute. Behind a
  /// gap whose source is live it doesn't wait, as a gap neither fires nor resolves: what was pending fires at its time
  /// and says that there was a gap.
  ///
  /// - Parameters:
  ///   - now: at or after the due time.
  ///   - source: what the source of the key does.
  package func due(
    _ state: inout RuleState, _ window: inout RuleWindow, at now: Timestamp, source: RuleSource
  ) -> RuleOutcome {
    guard let due = state.nextDue, due <= now else { return .nothing }
    if case .noData = condition {
      guard source != .down else {
        sourceLost(&state, at: now)
        return .nothing
      }
    } else if source != .live {
      state.flags.insert(.waiting)
      return .nothing
    }
    if state.flags.contains(.flapping), state.calmDue <= now, state.calmDue <= state.due {
      return calmDown(&state, at: now, [])
    }
    let remarks: RuleEpisode.Remarks = state.flags.contains(.gap) ? .acrossGap : []
    switch state.phase {
    case .unknown:
      state.due = RuleState.notDue
      return .nothing
    case .clear:
      state.due = RuleState.notDue
      guard case .noData = condition else { return .nothing }
      return begin(&state, &window, at: now, [])
    case .pending where state.flags.contains(.held):
      return fire(&state, at: now, remarks.union(.afterCooldown))
    case .pending:
      return become(&state, &window, at: now, remarks)
    case .firing:
      return remind(&state, at: now, [])
    }
  }
}
