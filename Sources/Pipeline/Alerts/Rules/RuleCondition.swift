/// What a rule watches for.
///
/// Reaching a level includes being equal to it.
package enum RuleCondition: Sendable, Hashable {
  /// From below the level to it or above. The first value only arms.
  case crossesAbove(Double)
  /// From above the level to it or below. The first value only arms.
  case crossesBelow(Double)
  /// Through the level or onto it, either way; each crossing is an episode that ends at once.
  case crosses(Double)
  /// At the level or above.
  case above(Double)
  /// At the level or below.
  case below(Double)
  /// At the lower level or below, or at the higher one or above.
  case outside(low: Double, high: Double)
  /// From the lower to the higher level, both included.
  case inside(low: Double, high: Double)
  /// At least so far from the lowest or highest value of a window of time.
  case changes(by: Change, within: Milliseconds)
  /// Nothing heard for a time.
  case noData(for: Milliseconds)
  /// Whatever the script's `when` function says.
  case decidedByScript

  /// How much a value must change.
  package enum Change: Sendable, Hashable {
    /// By so many percent of the lowest or highest value's magnitude.
    case percent(Double)
    /// By so much.
    case absolute(Double)
  }

  /// The name of the option that declares it.
  package var optionName: String {
    switch self {
    case .crossesAbove: "crosses_above"
    case .crossesBelow: "crosses_below"
    case .crosses: "crosses"
    case .above: "above"
    case .below: "below"
    case .outside: "outside"
    case .inside: "inside"
    case .changes: "changes_by"
    case .noData: "no_data_for"
    case .decidedByScript: "when"
    }
  }

  /// Whether it is about passing a level, so that a first value can't tell.
  package var isCrossing: Bool {
    switch self {
    case .crossesAbove, .crossesBelow, .crosses: true
    default: false
    }
  }
}
