extension Reducer {
  /// Runs a child feature while the state is in one of its cases.
  ///
  /// The child sees an action first, then this reducer. When the state leaves the case, everything the child
  /// had started is cancelled before the next action. An action for another case is reported. The payload
  /// is moved out of the enum and back, so a buffer in it isn't copied. A payload of more than 32 KB, which
  /// the functions of the route copy on the stack, takes another thread's stack and some microseconds more;
  /// keep what is so large in an array.
  @inlinable
  public func ifCaseLet<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: Route<State, ChildState>, action: Route<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) -> IfCaseLet<Self, Child> {
    IfCaseLet(
      parent: self, state: state, action: action, child: child(), location: CodeLocation(fileID, line))
  }
}

/// A reducer with a child for one case of its state; see
/// ``Reducer/ifCaseLet(_:action:fileID:line:child:)``.
public struct IfCaseLet<Parent: Reducer, Child: Reducer>: ComposedReducer {
  /// The state of this reducer.
  public typealias State = Parent.State
  /// The actions of this reducer.
  public typealias Action = Parent.Action

  @usableFromInline let parent: Parent
  @usableFromInline let state: Route<State, Child.State>
  @usableFromInline let action: Route<Action, Child.Action>
  @usableFromInline let child: Child
  @usableFromInline let location: CodeLocation

  @inlinable
  init(
    parent: Parent, state: Route<State, Child.State>, action: Route<Action, Child.Action>, child: Child,
    location: CodeLocation
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
    let route = state
    let embed = action.embed
    let extract = action.extract
    let location = location
    let child = LazyReducer(child, childBinding)
    let parent = parent.bind(to: binding)
    let reduceParent = parent.reduce
    let sweep = { (state: inout State) -> Effect<Action> in
      guard tree.inFlight(at: place.number) > 0 else { return .none }
      guard route.matches(&state) else { return .endFeature(place) }
      guard let sweepChild = child.sweep else { return .none }
      return route.modify(&state, sweepChild).mapped(embed).inFeature(place)
    }
    return BoundReducer(sweep: joinSweeps(sweep, parent.sweep)) { state, action in
      var effect = Effect<Action>.none
      let wasPresent = route.matches(&state)
      if let childAction = extract(action) {
        if wasPresent {
          effect = route.modify(&state) { child.reduce(&$0, childAction) }.mapped(embed).inFeature(place)
        } else {
          effect = .endFeature(place).merge(
            with: .issue("\(location): an action arrived for a case that the state is not in.", action))
        }
      }
      let next = reduceParent(&state, action)
      if wasPresent, !route.matches(&state) { effect = effect.merge(with: .endFeature(place)) }
      return effect.isNone ? next : effect.merge(with: next)
    }
  }
}
