extension Reducer {
  /// Does something when an action changed a part of the state.
  ///
  /// - Parameters:
  ///   - value: The part to compare before and after each action. It is kept during the action, so choose
  ///     a small one: a buffer in it is copied when the action changes it.
  ///   - perform: Called after this reducer with the old value, the new one and the state.
  @inlinable
  public func onChange<Value: Equatable>(
    of value: @escaping (State) -> Value,
    perform: @escaping (_ old: Value, _ new: Value, inout State) -> Effect<Action>
  ) -> OnChange<Self, Value> {
    OnChange(base: self, value: value, perform: perform)
  }
}

/// A reducer that reacts to its own changes; see ``Reducer/onChange(of:perform:)``.
public struct OnChange<Base: Reducer, Value: Equatable>: ComposedReducer {
  /// The state of this reducer.
  public typealias State = Base.State
  /// The actions of this reducer.
  public typealias Action = Base.Action

  @usableFromInline let base: Base
  @usableFromInline let value: (State) -> Value
  @usableFromInline let perform: (Value, Value, inout State) -> Effect<Action>

  @inlinable
  init(
    base: Base, value: @escaping (State) -> Value,
    perform: @escaping (Value, Value, inout State) -> Effect<Action>
  ) {
    self.base = base
    self.value = value
    self.perform = perform
  }

  /// Makes the form that a store runs.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    let (value, perform) = (value, perform)
    let base = base.bind(to: binding)
    let reduce = base.reduce
    return BoundReducer(sweep: base.sweep) { state, action in
      let old = value(state)
      let effect = reduce(&state, action)
      let new = value(state)
      return new == old ? effect : effect.merge(with: perform(old, new, &state))
    }
  }
}
