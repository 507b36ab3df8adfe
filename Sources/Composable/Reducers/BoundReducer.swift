/// A reducer tied to the dependencies of one store, as a plain function.
public struct BoundReducer<State, Action: Sendable> {
  /// Changes the state for one action and returns what follows.
  public let reduce: (inout State, Action) -> Effect<Action>

  /// Ends the optional and keyed features whose state is gone; nil where there can be none.
  ///
  /// A store calls it after each action as long as such a feature has work in flight.
  public let sweep: ((inout State) -> Effect<Action>)?

  /// Makes a bound reducer from its functions.
  @inlinable
  public init(
    sweep: ((inout State) -> Effect<Action>)? = nil,
    reduce: @escaping (inout State, Action) -> Effect<Action>
  ) {
    self.reduce = reduce
    self.sweep = sweep
  }
}

/// What a reducer is given when a store binds it: dependencies, and numbers for the features below it.
public struct ReducerBinding {
  /// The dependencies of this part of the tree.
  public var dependencies: Dependencies
  @usableFromInline let counter: FeatureCounter

  /// Begins a tree.
  public init(dependencies: Dependencies = Dependencies(.live)) {
    self.dependencies = dependencies
    self.counter = FeatureCounter()
  }

  /// Gives a number to a place of the tree where a child feature hangs.
  @usableFromInline
  func nextFeature() -> UInt32 { counter.next() }

  /// Ties each `@Dependency` stored directly in a reducer to the dependencies of this part of the tree.
  public func resolveDependencies<R>(of reducer: R) {
    for child in Mirror(reflecting: reducer).children {
      (child.value as? any DependencyDeclaration)?.resolve(from: dependencies)
    }
  }
}

@usableFromInline
final class FeatureCounter {
  private var count: UInt32 = 0

  @usableFromInline
  init() {}

  @usableFromInline
  func next() -> UInt32 {
    count += 1
    return count
  }
}
