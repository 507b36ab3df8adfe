internal import Composable

extension TestStore {
  /// Compares what a test claims with what a step changed.
  ///
  /// - Parameter cause: What failures call the step; showing an action costs more than all the rest.
  func check(
    _ expected: ((inout State) throws -> Void)?, from old: (state: State, shared: SharedSnapshot),
    to new: Step, cause: @autoclosure () -> String
  ) {
    if exhaustivity == .off && expected == nil { return }
    let isExhaustive = exhaustivity == .on
    let claims = SharedClaims(isExhaustive ? old.shared : new.shared, tracker: tracker)
    var claimed = isExhaustive ? old.state : new.state
    if let expected, !apply(expected, to: &claimed, claims) { return }
    if let difference = difference(from: claimed, claims.values, to: new.state, new.shared) {
      journal.fail(
        expected == nil
          ? Texts.unclaimedChange(cause: cause(), difference)
          : Texts.wrongState(cause: cause(), difference))
    } else if isExhaustive, expected != nil, old.state == new.state,
      tracker.differences(from: old.shared, to: new.shared).isEmpty
    {
      journal.fail(Texts.noChange(cause: cause()))
    }
  }

  /// Runs a closure that claims; false where it threw.
  func apply(
    _ expected: (inout State) throws -> Void, to state: inout State, _ claims: SharedClaims
  ) -> Bool {
    do {
      try SharedClaims.$current.withValue(claims) { try expected(&state) }
      return true
    } catch {
      journal.fail("The closure that claims the state threw \(error). To fix, find out why at this line.")
      return false
    }
  }

  /// What differs between two states and the shared values of their times; nil where nothing does.
  func difference(
    from old: State, _ oldShared: SharedSnapshot, to new: State, _ newShared: SharedSnapshot
  ) -> String? {
    let own = old == new ? [] : [Difference(from: old, to: new)]
    let all = own + tracker.differences(from: oldShared, to: newShared)
    return all.isEmpty ? nil : text(all)
  }

  func text(_ differences: [Difference]) -> String {
    differences.map(\.description).joined(separator: "\n")
  }
}
