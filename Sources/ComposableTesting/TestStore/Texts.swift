internal import Composable

/// The failure texts: what happened, the difference, why it usually happens, how to fix it.
enum Texts {
  private static let shownLimit = 10

  static func wrongState(cause: String, _ difference: String) -> String {
    """
    The state after \(cause) isn't the claimed one (claimed → actual):

    \(difference)

    The claim is outdated, or the reducer is wrong. To fix, change the closure so that it makes the state \
    the actual one, or correct the reducer.
    """
  }

  static func unclaimedChange(cause: String, _ difference: String) -> String {
    """
    The state changed in \(cause), and the test doesn't claim it (before → after):

    \(difference)

    To fix, claim the change in a closure after the action: { $0.… = … }.
    """
  }

  static func unclaimedShared(before cause: String, _ difference: String) -> String {
    """
    An effect changed a shared value, and the test doesn't claim it before \(cause) (before → after):

    \(difference)

    To fix, claim the change with assert { $0.… = … }.
    """
  }

  static func noChange(cause: String) -> String {
    """
    The closure claims a change in \(cause), but it changes nothing, and nothing changed.

    The value was the same before. To fix, remove the closure, or claim a value that differs.
    """
  }

  static func unclaimed(_ actions: [String], before cause: String) -> String {
    """
    \(count(actions.count, "received action")) must be claimed before \(cause):

    \(list(actions))

    Effects of earlier actions sent them. To fix, claim each with receive, or call skipReceivedActions().
    """
  }

  static func unclaimed(_ actions: [String], after cause: String) -> String {
    """
    \(cause), but \(count(actions.count, "received action")) \(actions.count == 1 ? "was" : "were") not claimed:

    \(list(actions))

    Effects sent them. To fix, claim each with receive, or call skipReceivedActions().
    """
  }

  static func running(_ effects: [String], after cause: String) -> String {
    """
    \(cause), but \(count(effects.count, "effect")) still \(effects.count == 1 ? "runs" : "run"):

    \(list(effects))

    An effect that waits for the clock needs clock.advance(by:); one that lives long needs the action that \
    cancels it. To fix, end it, or call skipInFlightEffects().
    """
  }

  static func nothingReceived(_ name: String, running: [String]) -> String {
    let effects =
      running.isEmpty
      ? "No effect runs, so none can come." : "\(count(running.count, "effect")) running:\n\n\(list(running))"
    return """
      Expected to receive \(name), but no action was received.

      \(effects)

      An effect that waits for the clock needs clock.advance(by:). To fix, move the clock, or correct the \
      effect that should send the action.
      """
  }

  static func otherReceived(_ name: String, _ actions: [String], difference: String?) -> String {
    let difference = difference.map { "\n\nThe difference (claimed → actual):\n\n\($0)" } ?? ""
    return """
      Expected to receive \(name), but received:

      \(list(actions))\(difference)

      Actions are received in the order in which effects send them. To fix, claim this action, or correct \
      the effect that sent it.
      """
  }

  static func finished(_ action: String) -> String {
    "\(action) was sent after finish(). To fix, send it before, or make another test store."
  }

  static func restless(_ steps: Int) -> String {
    """
    The effects didn't come to rest within \(steps) steps.

    An effect that loops without waiting does this. To fix, let it wait on the clock, or end it.
    """
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private static func list(_ items: [String]) -> String {
    let rest = items.count - shownLimit
    return (items.prefix(shownLimit).map { "  • \($0)" } + (rest > 0 ? ["  and \(rest) more"] : []))
      .joined(separator: "\n")
  }
}
