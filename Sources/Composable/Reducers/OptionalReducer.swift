/// A reducer that may be absent; an absent one changes nothing.
extension Optional: Reducer, ComposedReducer where Wrapped: Reducer {
  /// The state of this reducer.
  public typealias State = Wrapped.State
  /// The actions of this reducer.
  public typealias Action = Wrapped.Action
  /// Has no body.
  public typealias Body = Never

  /// Makes the form that a store runs.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<Wrapped.State, Wrapped.Action> {
    self?.bind(to: binding) ?? BoundReducer { _, _ in .none }
  }
}

/// One of two reducers, decided when the tree is built.
public enum EitherReducer<First: Reducer, Second: Reducer>: ComposedReducer
where First.State == Second.State, First.Action == Second.Action {
  /// The state of this reducer.
  public typealias State = First.State
  /// The actions of this reducer.
  public typealias Action = First.Action

  case first(First)
  case second(Second)

  /// Makes the form that a store runs.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    switch self {
    case .first(let reducer): reducer.bind(to: binding)
    case .second(let reducer): reducer.bind(to: binding)
    }
  }
}

/// A reducer whose type is hidden.
public struct AnyReducer<State, Action: Sendable>: ComposedReducer {
  private let binder: (ReducerBinding) -> BoundReducer<State, Action>

  /// Hides the type of a reducer.
  public init(_ reducer: some Reducer<State, Action>) { binder = { reducer.bind(to: $0) } }

  /// Makes the form that a store runs.
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> { binder(binding) }
}
