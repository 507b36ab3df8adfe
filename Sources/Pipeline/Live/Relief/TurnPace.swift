/// How many messages of a source the engine takes in one turn, so that it is soon back at its other duties.
struct TurnPace: Sendable, Hashable {
  /// How long a turn is meant to last, in nanoseconds: less than the relief has patience for.
  static let span: UInt64 = 1_500_000
  /// How many times as much is handled in one turn if it was read at once, rather than copied to wait.
  static let tolerance = 8

  /// What a message is expected to cost, in nanoseconds; at first so much that a turn takes 8.
  private var cost: UInt64 = span / 8

  /// The most messages for the next turn.
  var limit: Int { max(1, Int(Self.span / max(cost, 1))) }

  /// Takes note of a turn: slowness counts for more than speed, which may have been that of a quiet moment.
  mutating func note(messages: Int, nanoseconds: UInt64) {
    let latest = nanoseconds / UInt64(max(messages, 1))
    if latest > cost { cost += (latest - cost + 1) / 2 } else { cost -= (cost - latest) / 4 }
  }
}
