/// A feature's logic: how an action changes its state, and which effects follow.
///
/// A reducer either implements ``reduce(into:action:)`` or composes others in ``body``. A store binds the
/// tree once, when it is made; no reducer value is made while actions are handled.
///
/// Effects use the properties of their reducer on other threads: a public reducer whose effects do so has to
/// declare `Sendable`, which the compiler adds by itself to one that isn't public.
public protocol Reducer<State, Action> {
  /// What the feature remembers. It is changed in place and need not be copyable cheaply.
  associatedtype State
  /// What can happen to the feature.
  associatedtype Action: Sendable
  /// The composition of this reducer, `Never` for one that implements ``reduce(into:action:)``.
  associatedtype Body

  /// Changes the state for one action and returns what shall follow.
  ///
  /// Called on the isolation of the store. It must not block, and must take time and chance from
  /// dependencies.
  func reduce(into state: inout State, action: Action) -> Effect<Action>

  /// The reducers that make up this one, in the order in which they see an action.
  @ReducerBuilder<State, Action> var body: Body { get }

  /// Makes the form of this reducer that a store runs; the default serves every feature.
  func bind(to binding: ReducerBinding) -> BoundReducer<State, Action>
}

extension Reducer where Body == Never {
  /// Has no body; present so that a reducer may implement `reduce` alone.
  public var body: Never {
    preconditionFailure("\(Self.self) implements reduce(into:action:) and has no body.")
  }

  /// Resolves the dependencies declared by this reducer and runs its `reduce`.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    binding.resolveDependencies(of: self)
    return BoundReducer { state, action in self.reduce(into: &state, action: action) }
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Runs the body once, outside a store; a store binds the body and never calls this.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    bind(to: .detached).reduce(&state, action)
  }

  /// Resolves the dependencies declared by this reducer, then binds its body.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    binding.resolveDependencies(of: self)
    return body.bind(to: binding)
  }
}

/// A reducer of this module that composes others through ``Reducer/bind(to:)`` instead of a body.
public protocol ComposedReducer<State, Action>: Reducer where Body == Never {}

extension ComposedReducer {
  /// Runs the composition once, outside a store.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    bind(to: .detached).reduce(&state, action)
  }
}
