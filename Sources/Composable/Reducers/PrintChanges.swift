extension Reducer {
  /// Prints each action and what it changed, for development.
  ///
  /// It keeps the old state during the action, so every buffer that the action changes is copied.
  public func printChanges(
    to print: @escaping (String) -> Void = { print($0) }
  ) -> PrintChanges<Self> {
    PrintChanges(base: self, print: print)
  }
}

/// A reducer that tells what it does; see ``Reducer/printChanges(to:)``.
public struct PrintChanges<Base: Reducer>: ComposedReducer {
  /// The state of this reducer.
  public typealias State = Base.State
  /// The actions of this reducer.
  public typealias Action = Base.Action

  private let base: Base
  private let print: (String) -> Void

  init(base: Base, print: @escaping (String) -> Void) {
    self.base = base
    self.print = print
  }

  /// Makes the form that a store runs.
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    let print = print
    let base = base.bind(to: binding)
    let reduce = base.reduce
    return BoundReducer(sweep: base.sweep) { state, action in
      let old = state
      let effect = reduce(&state, action)
      let difference = Difference(from: old, to: state)
      let changes = difference.isEmpty ? "  (no change)" : difference.description
      print("received \(shown(action))\n\(changes)")
      return effect
    }
  }
}
