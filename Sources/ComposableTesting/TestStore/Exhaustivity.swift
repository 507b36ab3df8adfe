/// How much of what happens a test must claim.
public enum Exhaustivity: Sendable, Hashable {
  /// Every state change, received action and effect.
  case on
  /// Only what it mentions.
  case off
}
