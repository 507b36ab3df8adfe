/// The values through which features reach the world: clocks, chance, files, the network.
///
/// A store holds one value of this type and hands it to its reducers and effects. It is changed by making
/// another one: for a store, for a subtree (``Reducer/dependency(_:_:)``), or for one operation
/// (`withDependencies`).
public struct Dependencies: Sendable {
  /// Which of its defaults a dependency takes where none is given.
  public enum Context: Sendable, Hashable {
    /// The real world.
    case live
    /// Nothing real; whatever isn't given fails the test that touches it.
    case test
    /// Harmless stand-ins, for demonstrations.
    case preview
  }

  /// Which defaults apply.
  public let context: Context
  @usableFromInline var values: [ObjectIdentifier: any Sendable] = [:]

  /// Takes the defaults of a context.
  public init(_ context: Context) { self.context = context }

  /// Takes the defaults of a context and changes some of them.
  public init(_ context: Context, _ change: (inout Dependencies) throws -> Void) rethrows {
    self.context = context
    try change(&self)
  }

  /// The defaults for a program.
  public static var live: Self { Self(.live) }
  /// The defaults for a test.
  public static var test: Self { Self(.test) }
  /// The defaults for a demonstration.
  public static var preview: Self { Self(.preview) }

  /// The value of a key: the one of the running operation, else the one given, else the default.
  public subscript<Key: DependencyKey>(_ key: Key.Type) -> Key.Value {
    get {
      if let value = OperationDependencies.current?[ObjectIdentifier(key)] as? Key.Value { return value }
      if let value = values[ObjectIdentifier(key)] as? Key.Value { return value }
      return switch context {
      case .live: key.live
      case .test: key.test
      case .preview: key.preview
      }
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

/// Dependencies that replace those of every store for the length of one operation.
enum OperationDependencies {
  @TaskLocal static var current: [ObjectIdentifier: any Sendable]?
}

/// Runs an operation, and the effects it starts, with some dependencies replaced.
///
/// The replacement wins over what stores and subtrees hold.
public func withDependencies<Result>(
  _ change: (inout Dependencies) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var dependencies = Dependencies(.live)
  dependencies.values = OperationDependencies.current ?? [:]
  try change(&dependencies)
  return try OperationDependencies.$current.withValue(dependencies.values, operation: operation)
}

/// Runs an asynchronous operation, and the effects it starts, with some dependencies replaced.
public func withDependencies<Result>(
  _ change: (inout Dependencies) throws -> Void, isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> Result
) async rethrows -> Result {
  var dependencies = Dependencies(.live)
  dependencies.values = OperationDependencies.current ?? [:]
  try change(&dependencies)
  return try await OperationDependencies.$current.withValue(dependencies.values, operation: operation)
}
