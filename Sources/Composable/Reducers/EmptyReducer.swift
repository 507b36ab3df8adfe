/// A reducer that changes nothing.
public struct EmptyReducer<State, Action: Sendable>: Reducer {
  /// Has no body.
  public typealias Body = Never

  /// Makes a reducer that changes nothing.
  @inlinable
  public init() {}

  /// Changes the state for one action and returns what follows.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}
