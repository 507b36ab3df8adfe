/// Runs a child feature on a part of the state, for the actions that are its own.
///
///     Scope(state: \.counter, action: .counter) { Counter() }
///
/// The child is a feature of its own: its cancellation ids don't meet those of the parent or of siblings.
public struct Scope<State, Action: Sendable, Child: Reducer>: ComposedReducer {
  @usableFromInline let state: WritableKeyPath<State, Child.State>
  @usableFromInline let action: Route<Action, Child.Action>
  @usableFromInline let child: Child

  /// Places a child at a property of the state.
  @inlinable
  public init<ChildState, ChildAction: Sendable>(
    state: WritableKeyPath<State, ChildState>, action: Route<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction {
    self.state = state
    self.action = action
    self.child = child()
  }

  /// Makes the form that a store runs.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    let binding = binding.child(isPermanent: true)
    let (place, tree) = (binding.place, binding.tree)
    let path = StatePath(state)
    let embed = action.embed
    let extract = action.extract
    let bound = child.bind(to: binding)
    let reduce = bound.reduce
    let sweep = bound.sweep.map { sweep in
      { (state: inout State) -> Effect<Action> in
        guard tree.inFlight(at: place.number) > 0 else { return .none }
        return path.modify(&state, sweep).mapped(embed).inFeature(place)
      }
    }
    return BoundReducer(sweep: sweep) { state, action in
      guard let action = extract(action) else { return .none }
      let effect = path.modify(&state) { reduce(&$0, action) }
      return effect.isNone ? .none : effect.mapped(embed).inFeature(place)
    }
  }
}
