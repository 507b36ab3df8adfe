/// What a rule learns from values of the time before the host began to watch.
extension AlertRule {
  /// Takes in a value of a history: nothing fires, resolves or is waited for.
  ///
  /// A crossing knows its side afterwards and a change its window, so that the first live value is judged against
  /// them. A level is known only where its first value would arm anyway, as it is what the first live value says
  /// that counts; missing data is watched for from that value on.
  func arm(_ state: inout RuleState, _ value: Double, _ side: RuleLevels.Side, at time: Timestamp) {
    state.lastValue = value
    state.lastTime = time
    let isOn = side == .on || (side == .band && state.phase == .firing)
    switch condition {
    case .crosses(let level):
      if state.phase == .unknown {
        state.setSide(of: value, level: level, low: level, high: level)
      } else if side == .on || state.flags.isDisjoint(with: [.below, .above]) {
        state.setSide(of: value, level: level, low: levels.clearLow, high: levels.clearHigh)
      }
      state.phase = .clear
    case .crossesAbove, .crossesBelow:
      // The side is the phase: one that was reached within the history was not told, and is over when it is left.
      if isOn, state.phase != .firing { state.since = time }
      state.phase = isOn ? .firing : .clear
    case .changes: state.phase = .clear
    case .noData: break
    case .above, .below, .inside, .outside, .decidedByScript:
      guard first == .arm else { return }
      if isOn, state.phase != .firing { state.since = time }
      state.phase = isOn ? .firing : .clear
    }
  }
}
