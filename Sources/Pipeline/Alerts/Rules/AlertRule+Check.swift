extension AlertRule {
  /// Moves a key on by a value.
  ///
  /// A value on the same side as before, with nothing due, costs a handful of comparisons. The host calls
  /// ``due(_:_:at:source:)`` first for everything due up to the value's time.
  ///
  /// - Parameters:
  ///   - window: what goes with the state where the rule ``needsWindow``.
  ///   - value: any number; one that isn't finite is refused and changes nothing.
  ///   - time: the time of the value. One before the last value's is late, whatever the context says.
  @inline(__always)
  package func check(
    _ state: inout RuleState, _ window: inout RuleWindow, value: Double, at time: Timestamp,
    context: RuleContext = []
  ) -> RuleOutcome {
    if passesQuietly(&state, value, time, context) { return .nothing }
    return checkFully(&state, &window, value, time, context, truth: nil)
  }

  /// Moves a key on by a value, for a rule that needs no window.
  @inline(__always)
  package func check(
    _ state: inout RuleState, value: Double, at time: Timestamp, context: RuleContext = []
  ) -> RuleOutcome {
    if passesQuietly(&state, value, time, context) { return .nothing }
    precondition(!needsWindow, "the rule needs its window")
    var window = RuleWindow()
    return checkFully(&state, &window, value, time, context, truth: nil)
  }

  /// Moves a key on by a value of which the script's `when` function has said whether it counts.
  package func check(
    _ state: inout RuleState, _ window: inout RuleWindow, value: Double, isTrue: Bool, at time: Timestamp,
    context: RuleContext = []
  ) -> RuleOutcome {
    if isTrue ? state.phase == .firing : state.phase == .clear, value.isFinite, context.isEmpty,
      time >= state.lastTime, time < state.due, state.flags.isDisjoint(with: .attention)
    {
      state.lastValue = value
      state.lastTime = time
      return .nothing
    }
    return checkFully(&state, &window, value, time, context, truth: isTrue)
  }

  /// Passes over a value that changes nothing but the last value; false if there is more to it.
  @inline(__always)
  private func passesQuietly(
    _ state: inout RuleState, _ value: Double, _ time: Timestamp, _ context: RuleContext
  ) -> Bool {
    guard time >= state.lastTime, time < state.due, context.isEmpty,
      state.flags.isDisjoint(with: .attention)
    else { return false }
    let range = state.phase == .firing ? levels.quietWhileFiring : levels.quietWhileClear
    let isQuiet = value >= range.low && value <= range.high && state.phase.isSettled
    guard isQuiet || staysQuiet(&state, value, time) else { return false }
    state.lastValue = value
    state.lastTime = time
    return true
  }

  /// The values that change nothing but the last value of a key as long as its time goes on; nil where there are none,
  /// or where something is due.
  func quietRange(of state: RuleState) -> (low: Double, high: Double)? {
    guard state.phase.isSettled, state.due == RuleState.notDue, state.calmDue == RuleState.notDue,
      state.flags.isDisjoint(with: .attention)
    else { return nil }
    let range = state.phase == .firing ? levels.quietWhileFiring : levels.quietWhileClear
    return range.low <= range.high ? range : nil
  }

  /// Whether a value changes nothing, where one range can't say; missing data is put off on the way.
  @inline(never)
  private func staysQuiet(_ state: inout RuleState, _ value: Double, _ time: Timestamp) -> Bool {
    guard value.isFinite else { return false }
    if levels.kind == .other {
      guard case .noData(let duration) = condition, state.phase == .clear else { return false }
      state.due = time + duration
      return true
    }
    let side = levels.side(of: value, state.flags)
    switch state.phase {
    case .unknown: return false
    case .clear:
      return side != .on && (levels.kind != .crosses || !state.flags.isDisjoint(with: [.below, .above]))
    case .pending: return state.flags.contains(.held) ? side != .off : side == .on
    case .firing: return side != .off
    }
  }

  @inline(never)
  private func checkFully(
    _ state: inout RuleState, _ window: inout RuleWindow, _ value: Double, _ time: Timestamp,
    _ context: RuleContext, truth: Bool?
  ) -> RuleOutcome {
    guard value.isFinite else { return .refused(value) }
    guard !context.contains(.replayed) else { return .nothing }
    guard acceptsLate || (!context.contains(.late) && time >= state.lastTime) else { return .nothing }
    let now = max(time, state.lastTime)

    var remarks: RuleEpisode.Remarks = []
    if state.phase != .unknown {
      if state.flags.contains(.restart) || context.contains(.afterRestart) {
        remarks.insert(.whileDown)
      } else if state.flags.contains(.gap) || context.contains(.afterGap) {
        remarks.insert(.acrossGap)
      }
    }
    var side = levels.side(of: value, state.flags)
    switch condition {
    case .decidedByScript: side = truth == true ? .on : .off
    case .changes(let change, let within):
      let (low, high) = window.add(value, at: now, within: within)
      let rose = change.isReached(from: low, to: value)
      let fell = change.isReached(from: high, to: value)
      side = rose || fell ? .on : .off
      if fell, !rose { remarks.insert(.downward) }
    case .crosses where state.flags.contains(.above): remarks.insert(.downward)
    default: break
    }
    guard !context.contains(.history) else {
      arm(&state, value, side, at: now)
      return .nothing
    }

    let isOverdue = now >= state.due && !state.flags.contains(.paused)
    let late: RuleEpisode.Remarks = now > state.due ? .late : []
    state.lastValue = value
    state.lastTime = now
    state.flags.subtract([.gap, .restart, .waiting, .paused])

    let outcome = step(&state, &window, side, isOverdue, late, remarks)
    if case .nothing = outcome, state.flags.contains(.flapping), now >= state.calmDue {
      return calmDown(&state, at: now, remarks)
    }
    return outcome
  }

  private func step(
    _ state: inout RuleState, _ window: inout RuleWindow, _ side: RuleLevels.Side, _ isOverdue: Bool,
    _ late: RuleEpisode.Remarks, _ remarks: RuleEpisode.Remarks
  ) -> RuleOutcome {
    let now = state.lastTime
    switch state.phase {
    case .unknown:
      state.phase = .clear
      if case .crosses(let level) = condition {
        state.setSide(of: state.lastValue, level: level, low: level, high: level)
      }
      if case .noData(let duration) = condition { state.due = now + duration }
      guard side == .on else { return .nothing }
      if first == .fire { return begin(&state, &window, at: now, remarks) }
      state.phase = .firing
      state.since = now
      return .nothing

    case .clear:
      if case .noData(let duration) = condition { state.due = now + duration }
      if side == .on { return begin(&state, &window, at: now, remarks) }
      if levels.kind == .crosses, state.flags.isDisjoint(with: [.below, .above]) {
        state.setSide(
          of: state.lastValue, level: levels.low, low: levels.clearLow, high: levels.clearHigh)
      }
      return .nothing

    case .pending where state.flags.contains(.held):
      if side == .off { return end(&state, &window, at: now, remarks) }
      return isOverdue ? fire(&state, at: now, late.union(.afterCooldown)) : .nothing

    case .pending:
      guard side == .on else {
        state.phase = .clear
        state.due = RuleState.notDue
        state.flags.subtract(.ofEpisode)
        return .nothing
      }
      return isOverdue ? become(&state, &window, at: now, late) : .nothing

    case .firing:
      if side == .off { return end(&state, &window, at: now, remarks) }
      return isOverdue ? remind(&state, at: now, late) : .nothing
    }
  }
}

extension RuleCondition.Change {
  /// Whether two values are so far apart; a change by percent is of the first one's magnitude.
  ///
  /// Written so that decimal fractions come out as on paper wherever a `Double` allows it: 101.97 is 3 percent
  /// more than 99, although their difference as a `Double` is less than 2.97.
  func isReached(from reference: Double, to value: Double) -> Bool {
    guard value != reference else { return false }
    switch self {
    case .percent(let percent):
      return (value * 100 - reference * 100).magnitude >= percent * reference.magnitude
    case .absolute(let amount):
      return value > reference ? value >= reference + amount : value <= reference - amount
    }
  }
}

extension RuleState {
  /// For `crosses`: notes on which side a value is, if it is beyond the level and as far as asked for.
  mutating func setSide(of value: Double, level: Double, low: Double, high: Double) {
    flags.subtract([.below, .above])
    if value < level, value <= low { flags.insert(.below) }
    if value > level, value >= high { flags.insert(.above) }
  }
}
