/// Lists reducers that see the same action one after another.
@resultBuilder
public enum ReducerBuilder<State, Action: Sendable> {
  /// Gives the compiler the types of state and action for each line.
  public static func buildExpression<R: Reducer<State, Action>>(_ reducer: R) -> R { reducer }

  /// An empty list does nothing.
  public static func buildBlock() -> EmptyReducer<State, Action> { EmptyReducer() }

  /// The first line of a list.
  public static func buildPartialBlock<R: Reducer<State, Action>>(first: R) -> R { first }

  /// Each further line of a list.
  public static func buildPartialBlock<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    accumulated: First, next: Second
  ) -> ReducerPair<First, Second> {
    ReducerPair(first: accumulated, second: next)
  }

  /// A reducer that is present or not, decided once.
  public static func buildOptional<R: Reducer<State, Action>>(_ reducer: R?) -> R? { reducer }

  /// The first of two alternatives, decided once.
  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    first reducer: First
  ) -> EitherReducer<First, Second> { .first(reducer) }

  /// The second of two alternatives, decided once.
  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    second reducer: Second
  ) -> EitherReducer<First, Second> { .second(reducer) }

  /// Reducers of a loop, in its order.
  public static func buildArray<R: Reducer<State, Action>>(_ reducers: [R]) -> ReducerList<R> {
    ReducerList(reducers)
  }

  /// The finished list.
  public static func buildFinalResult<R: Reducer<State, Action>>(_ reducer: R) -> R { reducer }
}
