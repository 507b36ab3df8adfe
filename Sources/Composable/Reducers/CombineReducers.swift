/// A list of reducers as one, so that a modifier can apply to all of them.
public struct CombineReducers<State, Action: Sendable, Content: Reducer<State, Action>>: ComposedReducer {
  @usableFromInline let content: Content

  /// Makes one reducer of a list.
  @inlinable
  public init(@ReducerBuilder<State, Action> _ content: () -> Content) { self.content = content() }

  /// Makes the form that a store runs.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> { content.bind(to: binding) }
}

/// Two reducers that see the same action, the first one first.
public struct ReducerPair<First: Reducer, Second: Reducer>: ComposedReducer
where First.State == Second.State, First.Action == Second.Action {
  /// The state of this reducer.
  public typealias State = First.State
  /// The actions of this reducer.
  public typealias Action = First.Action

  @usableFromInline let first: First
  @usableFromInline let second: Second

  @inlinable
  init(first: First, second: Second) {
    self.first = first
    self.second = second
  }

  /// Makes the form that a store runs.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    let first = first.bind(to: binding)
    let second = second.bind(to: binding)
    let reduceFirst = first.reduce
    let reduceSecond = second.reduce
    return BoundReducer(sweep: joinSweeps(first.sweep, second.sweep)) { state, action in
      let effect = reduceFirst(&state, action)
      let next = reduceSecond(&state, action)
      return effect.isNone ? next : next.isNone ? effect : .merge(effect, next)
    }
  }
}

/// Reducers of one type that see the same action, in order.
public struct ReducerList<Element: Reducer>: ComposedReducer {
  /// The state of this reducer.
  public typealias State = Element.State
  /// The actions of this reducer.
  public typealias Action = Element.Action

  @usableFromInline let elements: [Element]

  @inlinable
  init(_ elements: [Element]) { self.elements = elements }

  /// Makes the form that a store runs.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    let bound = elements.map { $0.bind(to: binding) }
    let sweep = bound.reduce(nil) { joinSweeps($0, $1.sweep) }
    return BoundReducer(sweep: sweep) { state, action in
      var effect = Effect<Action>.none
      for reducer in bound { effect = effect.merge(with: reducer.reduce(&state, action)) }
      return effect
    }
  }
}

@usableFromInline
func joinSweeps<State, Action: Sendable>(
  _ first: ((inout State) -> Effect<Action>)?, _ second: ((inout State) -> Effect<Action>)?
) -> ((inout State) -> Effect<Action>)? {
  guard let first else { return second }
  guard let second else { return first }
  return { state in
    let effect = first(&state)
    return effect.merge(with: second(&state))
  }
}
