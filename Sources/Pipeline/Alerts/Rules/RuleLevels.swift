/// The levels of a condition as plain numbers, and the side of them a value is on.
struct RuleLevels: Sendable, Hashable {
  enum Kind: UInt8, Sendable {
    case above
    case below
    case crosses
    case inside
    case outside
    /// The side doesn't follow from levels: a change within a window, missing data, a script's word.
    case other
  }

  /// Where a value is: the condition is fulfilled, over, or in the hysteresis band between.
  enum Side {
    case on
    case band
    case off
  }

  let kind: Kind
  let low: Double
  let high: Double
  let clearLow: Double
  let clearHigh: Double
  /// Values that leave a clear rule clear, as an inclusive range; empty where one range can't say.
  let quietWhileClear: (low: Double, high: Double)
  /// Values that leave a firing rule firing, as an inclusive range; empty where one range can't say.
  let quietWhileFiring: (low: Double, high: Double)

  init(_ condition: RuleCondition, clearBelow: Double?, clearAbove: Double?) {
    let most = Double.greatestFiniteMagnitude
    let never = (low: Double.infinity, high: -Double.infinity)
    switch condition {
    case .crossesAbove(let level), .above(let level):
      kind = .above
      (low, high) = (level, level)
      (clearLow, clearHigh) = (min(clearBelow ?? level, level), level)
      quietWhileClear = (-most, level.nextDown)
      quietWhileFiring = (min(level, clearLow.nextUp), most)
    case .crossesBelow(let level), .below(let level):
      kind = .below
      (low, high) = (level, level)
      (clearLow, clearHigh) = (level, max(clearAbove ?? level, level))
      quietWhileClear = (level.nextUp, most)
      quietWhileFiring = (-most, max(level, clearHigh.nextDown))
    case .crosses(let level):
      kind = .crosses
      (low, high) = (level, level)
      (clearLow, clearHigh) = (min(clearBelow ?? level, level), max(clearAbove ?? level, level))
      quietWhileClear = never
      quietWhileFiring = never
    case .inside(let low, let high):
      kind = .inside
      (self.low, self.high) = (low, high)
      (clearLow, clearHigh) = (min(clearBelow ?? low, low), max(clearAbove ?? high, high))
      quietWhileClear = never
      quietWhileFiring = (min(low, clearLow.nextUp), max(high, clearHigh.nextDown))
    case .outside(let low, let high):
      kind = .outside
      (self.low, self.high) = (low, high)
      (clearLow, clearHigh) = (max(clearAbove ?? low, low), min(clearBelow ?? high, high))
      quietWhileClear = (low.nextUp, high.nextDown)
      quietWhileFiring = never
    case .changes, .noData, .decidedByScript:
      kind = .other
      (low, high, clearLow, clearHigh) = (0, 0, 0, 0)
      quietWhileClear = never
      quietWhileFiring = never
    }
  }

  /// The side of a finite value; for crossings as seen from the side last known.
  func side(of value: Double, _ flags: RuleState.Flags) -> Side {
    switch kind {
    case .above:
      return value >= high ? .on : value <= clearLow ? .off : .band
    case .below:
      return value <= low ? .on : value >= clearHigh ? .off : .band
    case .crosses:
      if flags.contains(.below) { return value >= high ? .on : value <= clearLow ? .off : .band }
      if flags.contains(.above) { return value <= low ? .on : value >= clearHigh ? .off : .band }
      return .off
    case .inside:
      return value >= low && value <= high ? .on : value <= clearLow || value >= clearHigh ? .off : .band
    case .outside:
      return value <= low || value >= high ? .on : value >= clearLow && value <= clearHigh ? .off : .band
    case .other:
      return .off
    }
  }

  static func == (a: Self, b: Self) -> Bool {
    a.kind == b.kind && a.low == b.low && a.high == b.high && a.clearLow == b.clearLow
      && a.clearHigh == b.clearHigh
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(low)
    hasher.combine(high)
  }
}
