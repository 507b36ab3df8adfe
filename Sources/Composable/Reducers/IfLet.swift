extension Reducer {
  /// Runs a child feature while an optional part of the state is present.
  ///
  /// The child sees an action first, then this reducer. When the child's state becomes nil, everything the
  /// child had started is cancelled before the next action. An action for an absent child is reported.
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
    let key = FeatureKey(node: binding.nextFeature(), isDynamic: true)
    let path = StatePath(state)
    let embed = action.embed
    let extract = action.extract
    let location = location
    let child = child.bind(to: binding)
    let parent = parent.bind(to: binding)
    let reduceChild = child.reduce
    let reduceParent = parent.reduce
    let childSweep = child.sweep
    let sweep = { (state: inout State) -> Effect<Action> in
      path.modify(&state) { child in
        guard !isNil(&child) else { return .endFeature(key) }
        guard let childSweep else { return .none }
        return childSweep(&child!).mapped(embed).inFeature(key)
      }
    }
    return BoundReducer(sweep: joinSweeps(sweep, parent.sweep)) { state, action in
      var effect = Effect<Action>.none
      var wasPresent = false
      if let childAction = extract(action) {
        effect = path.modify(&state) { child in
          guard !isNil(&child) else {
            return .endFeature(key).merge(
              with: .issue("\(location): an action arrived for a child whose state is nil.", action))
          }
          wasPresent = true
          return reduceChild(&child!, childAction).mapped(embed).inFeature(key)
        }
      } else {
        wasPresent = path.modify(&state) { !isNil(&$0) }
      }
      let next = reduceParent(&state, action)
      if wasPresent, path.modify(&state, { isNil(&$0) }) {
        effect = effect.merge(with: .endFeature(key))
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
