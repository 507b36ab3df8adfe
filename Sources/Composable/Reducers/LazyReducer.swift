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
