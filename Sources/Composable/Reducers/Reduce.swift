/// A reducer made of a closure.
public struct Reduce<State, Action: Sendable>: Reducer {
  /// Has no body.
  public typealias Body = Never

  @usableFromInline let bound: (Dependencies) -> (inout State, Action) -> Effect<Action>

  /// Makes a reducer from a function of state and action.
  @inlinable
  public init(_ reduce: @escaping (inout State, Action) -> Effect<Action>) {
    bound = { _ in reduce }
  }

  /// Makes a reducer from a function that is also handed the dependencies of its place in the tree.
  @inlinable
  public init(_ reduce: @escaping (inout State, Action, Dependencies) -> Effect<Action>) {
    bound = { dependencies in { state, action in reduce(&state, action, dependencies) } }
  }

  /// Changes the state for one action and returns what follows.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    bound(Dependencies(.live))(&state, action)
  }

  /// Makes the form that a store runs.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    BoundReducer(reduce: bound(binding.dependencies))
  }
}
