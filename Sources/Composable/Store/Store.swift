/// Holds the state of a feature, runs its reducer and performs its effects.
///
/// A store is confined to the actor on which it is made: it isn't Sendable, so the compiler keeps it there.
/// What effects send is brought back to that actor. It works on the main actor, on an ordinary actor and on
/// one with an executor of its own.
public final class Store<State, Action: Sendable> {
  @usableFromInline
  enum Source {
    case root(Runtime<State, Action>)
    case scope(ScopedSource<State, Action>)
  }

  @usableFromInline let source: Source

  /// Makes a store on the current actor.
  ///
  /// - Parameters:
  ///   - initialState: The state to begin with; it moves to the heap and is changed there.
  ///   - dependencies: What reducers and effects are handed.
  ///   - turnLimit: How many actions may follow one action, through effects that send at once, before the
  ///     turn is stopped and the cycle reported; at least 1.
  ///   - effectExecutor: Where the tasks of effects run; the concurrent pool where nil.
  ///   - isolation: The actor that the store lives on. The store doesn't keep it alive.
  ///   - reducer: The feature. It is bound once.
  @inlinable
  public init<R: Reducer>(
    initialState: consuming State, dependencies: Dependencies = Dependencies(.live),
    turnLimit: Int = 10_000, effectExecutor: (any TaskExecutor)? = nil,
    isolation: isolated any Actor = #isolation, @ReducerBuilder<State, Action> reducer: () -> R
  ) where R.State == State, R.Action == Action {
    let binding = ReducerBinding(dependencies: dependencies)
    source = .root(
      Runtime(
        initialState: initialState, dependencies: dependencies, turnLimit: turnLimit, isolation: isolation,
        executor: effectExecutor, tree: binding.tree, functions: RuntimeFunctions(),
        reducer: reducer().bind(to: binding)))
  }

  init(scope: ScopedSource<State, Action>) { source = .scope(scope) }

  deinit {
    // Only its own actor, or the end of that actor, drops the last reference, so nothing runs beside this.
    if case .root(let runtime) = source { _ = runtime.beginClose() }
  }

  /// Handles an action, and all that follow it at once, before it returns.
  ///
  /// Called while an action is being handled, it queues the action behind those already waiting. A closed
  /// store ignores actions.
  @inlinable
  public func send(_ action: Action) {
    switch source {
    case .root(let runtime): runtime.send(action)
    case .scope(let scope): scope.send(action)
    }
  }

  /// Reads the state in place.
  ///
  /// A value kept longer than the access makes the next change of a buffer in it copy that buffer. A reducer
  /// must not read its own store.
  public func withState<Result>(_ body: (State) throws -> Result) rethrows -> Result {
    switch source {
    case .root(let runtime):
      precondition(!runtime.flags.contains(.reducing), "A reducer must not read its own store.")
      return try body(runtime.state.pointee)
    case .scope(let scope): return try body(scope.read())
    }
  }

  /// Reads the state where it lies, without the copy that ``withState(_:)`` may make of it for the call.
  ///
  /// The closure must not send to the store, which would change the state under it.
  package func readInPlace<Result>(_ body: (State) throws -> Result) rethrows -> Result {
    guard case .root(let runtime) = source else { return try withState(body) }
    precondition(!runtime.flags.contains(.reducing), "A reducer must not read its own store.")
    return try Self.read(&runtime.state.pointee, body)
  }

  // Only of a value that is this function's alone does the compiler know that nobody changes it during the call.
  @inline(never)
  private static func read<Result>(
    _ state: inout State, _ body: (State) throws -> Result
  ) rethrows -> Result {
    try body(state)
  }

  /// The state at this moment; see ``withState(_:)``.
  public var state: State { withState { $0 } }

  /// A copy of the state, to keep or to hand to another task.
  public func snapshot() -> State { state }

  /// Cancels all effects, waits for their tasks to end and refuses further actions.
  ///
  /// An effect that ignores its cancellation holds this up; ``runningEffectNames`` tells which ones run.
  public func close(isolation: isolated (any Actor)? = #isolation) async {
    while let task = beginClose() { await task.value }
  }

  /// Cancels everything and returns a task that still has to end.
  func beginClose() -> Task<Void, Never>? {
    switch source {
    case .root(let runtime): runtime.beginClose()
    case .scope(let scope): scope.beginClose()
    }
  }

  /// What runs at the moment, by name or line of source, in the order of its start.
  public var runningEffectNames: [String] {
    switch source {
    case .root(let runtime): runtime.runningEffects.map(\.description)
    case .scope(let scope): scope.runningEffectNames()
    }
  }
}
