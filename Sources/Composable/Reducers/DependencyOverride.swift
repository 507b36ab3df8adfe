extension Reducer {
  /// Replaces one dependency for this reducer, its children and their effects.
  public func dependency<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>, _ value: Value
  ) -> DependencyOverride<Self> {
    DependencyOverride(base: self) { $0[keyPath: keyPath] = value }
  }

  /// Changes dependencies for this reducer, its children and their effects, once, when a store binds it.
  public func dependencies(_ change: @escaping (inout Dependencies) -> Void) -> DependencyOverride<Self> {
    DependencyOverride(base: self, change: change)
  }
}

/// A reducer with dependencies of its own; see ``Reducer/dependency(_:_:)``.
public struct DependencyOverride<Base: Reducer>: ComposedReducer {
  /// The state of this reducer.
  public typealias State = Base.State
  /// The actions of this reducer.
  public typealias Action = Base.Action

  private let base: Base
  private let change: (inout Dependencies) -> Void

  init(base: Base, change: @escaping (inout Dependencies) -> Void) {
    self.base = base
    self.change = change
  }

  /// Makes the form that a store runs.
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    var binding = binding
    change(&binding.dependencies)
    let dependencies = binding.dependencies
    let base = base.bind(to: binding)
    let reduce = base.reduce
    let sweep = base.sweep.map { sweep in
      { (state: inout State) -> Effect<Action> in sweep(&state).with(dependencies: dependencies) }
    }
    return BoundReducer(sweep: sweep) { state, action in
      let effect = reduce(&state, action)
      return effect.isNone ? effect : effect.with(dependencies: dependencies)
    }
  }
}
