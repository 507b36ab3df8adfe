extension Reducer {
  /// Runs a child feature while an optional part of the state is present.
  ///
  /// The child sees an action first, then this reducer. When the child's state becomes nil, everything the
  /// child had started is cancelled before the next action. An action for an absent child is reported. The
  /// child is bound at its first action, so a feature may contain itself.
  @inlinable
  public func ifLet<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: WritableKeyPath<State, ChildState?>, action: Route<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) -> IfLet<Self, Child> {
    IfLet(
      parent: self, state: state, action: action, child: child(), location: CodeLocation(fileID, line))
  }
}

/// A reducer with a child that is present from time to time; see ``Reducer/ifLet(_:action:fileID:line:child:)``.
public struct IfLet<Parent: Reducer, Child: Reducer>: ComposedReducer {
  /// The state of this reducer.
  public typealias State = Parent.State
  /// The actions of this reducer.
  public typealias Action = Parent.Action

  @usableFromInline let parent: Parent
  @usableFromInline let state: WritableKeyPath<State, Child.State?>
  @usableFromInline let action: Route<Action, Child.Action>
  @usableFromInline let child: Child
  @usableFromInline let location: CodeLocation

  @inlinable
  init(
    parent: Parent, state: WritableKeyPath<State, Child.State?>, action: Route<Action, Child.Action>,
    child: Child, location: CodeLocation
  ) {
    self.parent = parent
    self.state = state
    self.action = action
    self.child = child
    self.location = location
  }

  /// Makes the form that a store runs.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    let childBinding = binding.child(isPermanent: false)
    let (place, tree) = (childBinding.place, childBinding.tree)
    let path = StatePath(state)
    let embed = action.embed
    let extract = action.extract
    let location = location
    let child = LazyReducer(child, childBinding)
    let parent = parent.bind(to: binding)
    let reduceParent = parent.reduce
    let sweep = { (state: inout State) -> Effect<Action> in
      guard tree.inFlight(at: place.number) > 0 else { return .none }
      return path.modify(&state) { state in
        guard !isNil(&state) else { return .endFeature(place) }
        guard let sweepChild = child.sweep else { return .none }
        return sweepChild(&state!).mapped(embed).inFeature(place)
      }
    }
    return BoundReducer(sweep: joinSweeps(sweep, parent.sweep)) { state, action in
      var effect = Effect<Action>.none
      var wasPresent = false
      if let childAction = extract(action) {
        effect = path.modify(&state) { state in
          guard !isNil(&state) else {
            return .endFeature(place).merge(
              with: .issue("\(location): an action arrived for a child whose state is nil.", action))
          }
          wasPresent = true
          return child.reduce(&state!, childAction).mapped(embed).inFeature(place)
        }
      } else {
        wasPresent = path.modify(&state) { !isNil(&$0) }
      }
      let next = reduceParent(&state, action)
      if wasPresent, path.modify(&state, { isNil(&$0) }) {
        effect = effect.merge(with: .endFeature(place))
      }
      return effect.isNone ? next : effect.merge(with: next)
    }
  }
}

/// Says whether an optional is nil without copying it to find out, in builds without optimization too.
@inlinable
func isNil<Wrapped: ~Copyable>(_ optional: inout Wrapped?) -> Bool {
  switch optional {
  case .none: true
  case .some: false
  }
}
