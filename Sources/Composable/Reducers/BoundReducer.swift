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

/// A child that is bound when its first action comes, so that a feature may contain itself.
@usableFromInline
final class LazyReducer<Child: Reducer> {
  @usableFromInline @exclusivity(unchecked) var bound: BoundReducer<Child.State, Child.Action>?
  private let bind: () -> BoundReducer<Child.State, Child.Action>

  @usableFromInline
  init(_ child: Child, _ binding: ReducerBinding) { bind = { child.bind(to: binding) } }

  @inlinable var reduce: (inout Child.State, Child.Action) -> Effect<Child.Action> {
    bound?.reduce ?? first().reduce
  }

  /// Ends what is gone below the child.
  @inlinable var sweep: ((inout Child.State) -> Effect<Child.Action>)? { bound?.sweep }

  @usableFromInline @inline(never)
  func first() -> BoundReducer<Child.State, Child.Action> {
    let bound = bind()
    self.bound = bound
    return bound
  }
}
