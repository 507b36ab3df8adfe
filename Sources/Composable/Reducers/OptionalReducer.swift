/// A reducer that may be absent; an absent one changes nothing.
extension Optional: Reducer, ComposedReducer where Wrapped: Reducer {
  public typealias State = Wrapped.State
  public typealias Action = Wrapped.Action
  public typealias Body = Never

  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<Wrapped.State, Wrapped.Action> {
    self?.bind(to: binding) ?? BoundReducer { _, _ in .none }
  }
}

/// One of two reducers, decided when the tree is built.
public enum EitherReducer<First: Reducer, Second: Reducer>: ComposedReducer
where First.State == Second.State, First.Action == Second.Action {
  public typealias State = First.State
  public typealias Action = First.Action

  case first(First)
  case second(Second)

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

  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> { binder(binding) }
}
