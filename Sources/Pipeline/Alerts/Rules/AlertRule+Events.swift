/// What happens to a key besides values and time. None of these fires or resolves.
extension AlertRule {
  /// Data may be missing between the last value and the next one.
  ///
  /// The next value is compared with the last known side, and what comes of it says that it happened across
  /// a gap. The flag ``RuleContext/afterGap`` says the same with the value itself.
  package func gap(_ state: inout RuleState) {
    if state.phase != .unknown { state.flags.insert(.gap) }
  }

  /// The source of the key is no longer connected: missing data is no news until it is.
  package func sourceLost(_ state: inout RuleState, at now: Timestamp) {
    guard case .noData = condition, state.due != RuleState.notDue, !state.flags.contains(.paused) else {
      return
    }
    state.flags.insert(.paused)
    state.due = Timestamp(milliseconds: max(0, (state.due - now).count))
  }

  /// The source of the key is connected again: the time that was left before it was lost goes on.
  package func sourceConnected(_ state: inout RuleState, at now: Timestamp) {
    guard state.flags.contains(.paused) else { return }
    state.flags.remove(.paused)
    state.due = now + Milliseconds(state.due.milliseconds)
  }

  /// Arms a rule about missing data for a key that has had no value yet.
  ///
  /// The source counts as down until ``sourceConnected(_:at:)``.
  package func arm(_ state: inout RuleState) {
    guard case .noData(let duration) = condition, state.phase == .unknown else { return }
    state.phase = .clear
    state.flags.insert(.paused)
    state.due = Timestamp(milliseconds: duration.count)
  }

  /// The program starts again with a stored state.
  ///
  /// The next value is compared with the stored side: the same tells nothing, the other one alert that says
  /// it happened while the program was down. What falls due before it waits for that value. Levels may have
  /// been edited in the meantime, as with ``reload(_:replacing:at:)``. A host whose source resumes where it
  /// left off, so that nothing was missed, calls ``resume(_:at:downSince:)`` instead.
  ///
  /// - Parameters:
  ///   - now: the time of the start.
  ///   - downSince: when the program was last known to run, nil if unknown; for missing data, which can't be
  ///     noticed while the program is down.
  package func restart(_ state: inout RuleState, at now: Timestamp, downSince: Timestamp? = nil) {
    guard state.phase != .unknown else { return }
    state.flags.insert(.restart)
    resume(&state, at: now, downSince: downSince)
    realign(&state)
  }

  /// The program starts again with a stored state, and the source goes on where it was.
  ///
  /// What falls due before the next value waits for it: it is among what was sent meanwhile. The parameters are those
  /// of ``restart(_:at:downSince:)``.
  package func resume(_ state: inout RuleState, at now: Timestamp, downSince: Timestamp? = nil) {
    guard state.phase != .unknown else { return }
    if case .noData(let duration) = condition {
      if let lastRun = downSince ?? state.time {
        sourceLost(&state, at: min(now, lastRun))
      } else if state.due != RuleState.notDue, !state.flags.contains(.paused) {
        state.flags.insert(.paused)
        state.due = Timestamp(milliseconds: duration.count)
      }
    } else if state.nextDue != nil {
      state.flags.insert(.waiting)
    }
  }

  /// The rule took the place of an older form of itself, while the program runs.
  ///
  /// What is known stays: the phase, the number of the episode, the cooldown. Due times move with the
  /// durations. A crossing rule whose level was moved past the last value takes that for the state of
  /// things; a level rule looks at its next value.
  package func reload(_ state: inout RuleState, replacing old: AlertRule, at now: Timestamp) {
    guard state.phase != .unknown, self != old else { return }
    if state.cooldownEnd != RuleState.never {
      state.cooldownEnd = state.cooldownEnd + Milliseconds(cooldown.count - old.cooldown.count)
    }
    if once != old.once {
      if once, state.episode > 0 { state.flags.insert(.done) } else { state.flags.remove(.done) }
    }
    if flapping == nil, state.flags.contains(.flapping) { state.calmDue = min(state.calmDue, now) }
    let isSameKind = condition.optionName == old.condition.optionName
    if !isSameKind {
      state.flags.subtract([.paused, .below, .above])
      state.due = RuleState.notDue
      if state.phase == .pending { state.phase = .clear }
      if levels.kind == .crosses, state.phase == .firing { state.phase = .clear }
      if levels.kind == .crosses { state.flags.remove(.told) }
      state.flags.subtract(.ofEpisode)
    }
    switch state.phase {
    case .unknown: break
    case .clear:
      guard case .noData(let duration) = condition else { break }
      if case .noData(let before) = old.condition, state.due != RuleState.notDue {
        state.due = state.due + Milliseconds(duration.count - before.count)
      } else {
        state.due = now + duration
      }
    case .pending: state.due = state.flags.contains(.held) ? state.cooldownEnd : state.since + forDuration
    case .firing where state.isTold && !state.isFlapping && (repeatEvery != old.repeatEvery || !isSameKind):
      state.due = repeatEvery > .zero ? now + repeatEvery : RuleState.notDue
    case .firing: break
    }
    realign(&state)
  }

  /// Makes the state agree with the rule's levels as far as nothing is told by it.
  private func realign(_ state: inout RuleState) {
    guard state.phase == .clear, condition.isCrossing, state.lastTime != RuleState.never else { return }
    switch levels.kind {
    case .crosses:
      let side = levels.side(of: state.lastValue, state.flags)
      if side == .on || state.flags.isDisjoint(with: [.below, .above]) {
        state.setSide(of: state.lastValue, level: levels.low, low: levels.clearLow, high: levels.clearHigh)
      }
    case .above, .below:
      if levels.side(of: state.lastValue, state.flags) == .on {
        state.phase = .firing
        state.since = state.lastTime
      }
    case .inside, .outside, .other: break
    }
  }
}
