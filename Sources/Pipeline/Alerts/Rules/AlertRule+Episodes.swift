/// The moves that checking a value and falling due have in common.
extension AlertRule {
  /// The condition became true.
  func begin(
    _ state: inout RuleState, _ window: inout RuleWindow, at now: Timestamp, _ remarks: RuleEpisode.Remarks
  ) -> RuleOutcome {
    state.since = now
    state.flags.subtract(.ofEpisode)
    if remarks.contains(.acrossGap) { state.flags.insert(.begunAcrossGap) }
    if remarks.contains(.whileDown) { state.flags.insert(.begunWhileDown) }
    if remarks.contains(.downward) { state.flags.insert(.begunDownward) }
    guard forDuration > .zero else { return become(&state, &window, at: now, remarks) }
    state.phase = .pending
    state.due = now + forDuration
    return .nothing
  }

  /// The condition was true for long enough.
  func become(
    _ state: inout RuleState, _ window: inout RuleWindow, at now: Timestamp, _ remarks: RuleEpisode.Remarks
  ) -> RuleOutcome {
    state.due = RuleState.notDue
    let calm = flapping.flatMap { window.addChange(at: now, $0) }
    if state.flags.contains(.flapping) {
      state.calmDue = calm ?? now
      enterFiring(&state)
      return .nothing
    }
    if isOver(state, at: now) {
      enterFiring(&state)
      return .nothing
    }
    if let calm {
      state.flags.insert(.flapping)
      state.calmDue = calm
      return fire(&state, at: now, remarks.union(.flapping))
    }
    if now < state.cooldownEnd {
      state.phase = .pending
      state.flags.insert(.held)
      state.due = state.cooldownEnd
      return .nothing
    }
    return fire(&state, at: now, remarks)
  }

  /// Tells an episode.
  func fire(_ state: inout RuleState, at now: Timestamp, _ remarks: RuleEpisode.Remarks) -> RuleOutcome {
    state.due = RuleState.notDue
    if state.flags.contains(.held), isOver(state, at: now) {
      enterFiring(&state)
      return .nothing
    }
    state.episode &+= 1
    state.reminders = 0
    state.cooldownEnd = cooldown > .zero ? now + cooldown : RuleState.never
    var remarks = remarks
    if state.flags.contains(.begunAcrossGap) { remarks.insert(.acrossGap) }
    if state.flags.contains(.begunWhileDown) { remarks.insert(.whileDown) }
    if state.flags.contains(.begunDownward) { remarks.insert(.downward) }
    let outcome = RuleOutcome.fire(state.told(remarks, at: now))
    state.held = 0
    state.flags.insert(once ? [.told, .done] : .told)
    enterFiring(&state)
    if repeatEvery > .zero, state.phase == .firing, !state.flags.contains(.flapping) {
      state.due = now + repeatEvery
    }
    return outcome
  }

  /// The condition is over.
  func end(
    _ state: inout RuleState, _ window: inout RuleWindow, at now: Timestamp, _ remarks: RuleEpisode.Remarks
  ) -> RuleOutcome {
    state.phase = .clear
    state.due = RuleState.notDue
    if case .noData(let duration) = condition { state.due = now + duration }
    if state.flags.contains(.held) { state.held &+= 1 }
    state.flags.subtract(.ofEpisode)
    let calm = flapping.flatMap { window.addChange(at: now, $0) }
    if state.flags.contains(.flapping) {
      state.calmDue = calm ?? now
      return .nothing
    }
    guard state.flags.contains(.told) else { return .nothing }
    state.flags.remove(.told)
    return resolves ? .resolve(state.told(remarks.subtracting(.downward), at: now)) : .nothing
  }

  /// Tells that an episode still goes on, if it was told and the rule isn't at its end.
  func remind(_ state: inout RuleState, at now: Timestamp, _ remarks: RuleEpisode.Remarks) -> RuleOutcome {
    guard repeatEvery > .zero, state.flags.contains(.told), !state.flags.contains(.flapping),
      expires.map({ now < $0 }) ?? true
    else {
      state.due = RuleState.notDue
      return .nothing
    }
    let passed = (now - state.due).count / repeatEvery.count + 1
    state.due = state.due + Milliseconds(passed * repeatEvery.count)
    state.reminders &+= 1
    var episode = state.told(remarks, at: now)
    episode.reminder = state.reminders
    return .remind(episode)
  }

  /// The rule stopped flapping: from here on it speaks again.
  func calmDown(_ state: inout RuleState, at now: Timestamp, _ remarks: RuleEpisode.Remarks) -> RuleOutcome {
    state.flags.remove(.flapping)
    state.calmDue = RuleState.notDue
    guard state.flags.contains(.told) else { return .nothing }
    if state.phase == .firing {
      if repeatEvery > .zero { state.due = now + repeatEvery }
      return .nothing
    }
    state.flags.remove(.told)
    let calm = remarks.union(.flapping).subtracting(.downward)
    return resolves ? .resolve(state.told(calm, at: now)) : .nothing
  }

  /// Puts the state into the phase in which the condition is true and nothing is waited for.
  ///
  /// A crossing is over as soon as it happened: the rule is clear again, on the other side.
  private func enterFiring(_ state: inout RuleState) {
    state.flags.subtract(.ofEpisode)
    guard levels.kind == .crosses else {
      state.phase = .firing
      return
    }
    state.phase = .clear
    if !state.flags.contains(.flapping) { state.flags.remove(.told) }
    state.setSide(of: state.lastValue, level: levels.low, low: levels.clearLow, high: levels.clearHigh)
  }

  /// Whether the rule has fired its single time or is past its end.
  private func isOver(_ state: RuleState, at now: Timestamp) -> Bool {
    if state.flags.contains(.done) { return true }
    guard let expires else { return false }
    return now >= expires
  }
}

extension RuleState {
  /// The episode as an alert tells of it.
  fileprivate func told(_ remarks: RuleEpisode.Remarks, at now: Timestamp) -> RuleEpisode {
    RuleEpisode(
      number: episode, reminder: 0, held: held, remarks: remarks, since: since, time: now, value: value)
  }
}
