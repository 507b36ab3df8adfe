internal import Synchronization

/// Gives a reducer one of the dependencies of the store it runs in.
///
///     struct Search: Reducer {
///       @Dependency(\.clock) var clock
///
/// It is resolved when a store binds the reducer, and must be stored directly in the reducer. Copies of a
/// reducer share what they were bound to, so make a reducer value for each store, inside its closure.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
  private let storage: DependencyStorage
  // Key paths to properties of `Dependencies` capture nothing, so they can be shared between threads.
  private let keyPath: any KeyPath<Dependencies, Value> & Sendable
  private let location: CodeLocation

  /// Declares the dependency by its property.
  public init(
    _ keyPath: any KeyPath<Dependencies, Value> & Sendable, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.keyPath = keyPath
    self.storage = DependencyStorage()
    self.location = CodeLocation(fileID, line)
  }

  /// The value in the store that runs the reducer.
  public var wrappedValue: Value { storage.dependencies(at: location)[keyPath: keyPath] }
}

/// A property that a store resolves when it binds the reducer in which it is stored.
protocol DependencyDeclaration {
  func resolve(from dependencies: Dependencies)
}

extension Dependency: DependencyDeclaration {
  func resolve(from dependencies: Dependencies) { storage.bind(dependencies) }
}

private final class DependencyStorage: Sendable {
  private let bound = Mutex<Dependencies?>(nil)

  func bind(_ dependencies: Dependencies) { bound.withLock { $0 = dependencies } }

  func dependencies(at location: CodeLocation) -> Dependencies {
    if let dependencies = bound.withLock({ $0 }) { return dependencies }
    let fallback = Dependencies(.live)
    fallback.issues.report(
      Issue(
        "@Dependency was read before a store bound its reducer, so live defaults are used. Store it directly "
          + "in a reducer, and read it from reduce, body or an effect.", at: location))
    return fallback
  }
}
