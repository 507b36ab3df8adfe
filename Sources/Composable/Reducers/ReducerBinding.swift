/// What a reducer is given when a store binds it: dependencies, and its place in the tree.
public struct ReducerBinding {
  /// The dependencies of this part of the tree.
  public var dependencies: Dependencies
  @usableFromInline package let tree: FeatureTree
  @usableFromInline private(set) var place = FeaturePlace(number: 0, isPermanent: true)

  /// Begins the tree of a store.
  public init(dependencies: Dependencies = Dependencies(.live)) {
    self.init(dependencies: dependencies, isAttached: true)
  }

  private init(dependencies: Dependencies, isAttached: Bool) {
    self.dependencies = dependencies
    tree = FeatureTree(isAttached: isAttached)
  }

  /// For a reducer that is called by hand.
  static var detached: Self { Self(dependencies: Dependencies(.live), isAttached: false) }

  /// Adds a place for a child feature, one that can go while its parent stays unless it is permanent.
  @usableFromInline
  func child(isPermanent: Bool) -> Self {
    var child = self
    child.place = FeaturePlace(
      number: tree.addPlace(below: place.number),
      isPermanent: (isPermanent || !tree.isAttached) && place.isPermanent)
    return child
  }

  /// Ties each `@Dependency` stored directly in a reducer to the dependencies of this part of the tree.
  public func resolveDependencies<R>(of reducer: R) {
    for child in Mirror(reflecting: reducer).children {
      (child.value as? any DependencyDeclaration)?.resolve(from: dependencies)
    }
  }
}
