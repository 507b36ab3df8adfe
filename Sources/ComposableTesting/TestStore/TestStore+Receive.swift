public import Composable
public import Testing

extension TestStore {
  /// Claims the next action that an effect sent, by its value, and what it changed.
  public func receive(
    _ action: Action, sourceLocation: SourceLocation = #_sourceLocation,
    changes expected: ((inout State) throws -> Void)? = nil
  ) where Action: Equatable {
    receive(
      expecting: shown(action), sourceLocation, expected,
      difference: { Difference(from: action, to: $0).description }, where: { $0 == action })
  }

  /// Claims the next action that an effect sent, by its route, and what it changed.
  ///
  /// - Parameter value: Claims the value at the end of the route, too.
  public func receive<Part>(
    _ route: Route<Action, Part>, where value: ((Part) -> Bool)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    changes expected: ((inout State) throws -> Void)? = nil
  ) {
    receive(
      expecting: "an action of \(Part.self)" + (value == nil ? "" : " that fulfils a condition"),
      sourceLocation, expected,
      where: { action in route.extract(action).map { value?($0) ?? true } ?? false })
  }

  /// Claims the next action that an effect sent, by a condition, and what it changed.
  public func receive(
    where condition: (Action) -> Bool, sourceLocation: SourceLocation = #_sourceLocation,
    changes expected: ((inout State) throws -> Void)? = nil
  ) {
    receive(
      expecting: "an action that fulfils a condition", sourceLocation, expected, where: condition)
  }

  private func receive(
    expecting name: @autoclosure () -> String, _ sourceLocation: SourceLocation,
    _ expected: ((inout State) throws -> Void)?, difference: (Action) -> String? = { _ in nil },
    where matches: (Action) -> Bool
  ) {
    journal.location = sourceLocation
    settle()
    guard let first = received.first else {
      return journal.fail(Texts.nothingReceived(name(), running: runtime.runningEffects.map(\.description)))
    }
    let index = exhaustivity == .on ? 0 : received.firstIndex { matches($0.action) }
    guard let index, matches(received[index].action) else {
      journal.fail(
        Texts.otherReceived(name(), received.map { shown($0.action) }, difference: difference(first.action)))
      if exhaustivity == .on { claim(takeReceived(upTo: 0).new) }
      return
    }
    let step = takeReceived(upTo: index)
    check(expected, from: step.old, to: step.new, cause: "receiving \(shown(step.new.action))")
    claim(step.new)
  }
}
