/// A reducer tied to the dependencies of one store, as a plain function.
public struct BoundReducer<State, Action: Sendable> {
  /// Changes the state for one action and returns what follows.
  public let reduce: (inout State, Action) -> Effect<Action>

  /// Ends the optional and keyed features whose state is gone; nil where there can be none.
  ///
  /// A store calls it after each action as long as a child feature has work in flight.
  public let sweep: ((inout State) -> Effect<Action>)?

  /// Makes a bound reducer from its functions.
  @inlinable
  public init(
    sweep: ((inout State) -> Effect<Action>)? = nil,
    reduce: @escaping (inout State, Action) -> Effect<Action>
  ) {
    self.reduce = reduce
    self.sweep = sweep
  }
}
