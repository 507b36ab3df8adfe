/// A reducer that changes nothing.
public struct EmptyReducer<State, Action: Sendable>: Reducer {
  public typealias Body = Never

  /// Makes a reducer that changes nothing.
  @inlinable
  public init() {}

  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}
