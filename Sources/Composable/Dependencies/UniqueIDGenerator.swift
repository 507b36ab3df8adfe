internal import Synchronization

/// Makes unique identifiers.
public struct UniqueIDGenerator: Sendable {
  private let generate: @Sendable (CodeLocation) -> UniqueID

  /// Makes a generator from a function.
  public init(_ generate: @escaping @Sendable () -> UniqueID) { self.generate = { _ in generate() } }

  private init(reporting generate: @escaping @Sendable (CodeLocation) -> UniqueID) {
    self.generate = generate
  }

  /// Counts: 0, 1, 2 and so on, anew for each generator.
  public static var incrementing: Self {
    let count = Counter()
    return Self { UniqueID(count.next()) }
  }

  /// Always the same identifier.
  public static func constant(_ id: UniqueID) -> Self { Self { id } }

  /// The next identifier.
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> UniqueID {
    generate(CodeLocation(fileID, line, filePath: filePath, column: column))
  }
}

private final class Counter: Sendable {
  private let count = Atomic<UInt64>(0)
  func next() -> UInt64 { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}

extension UniqueIDGenerator: DependencyKey {
  /// What failure texts call it.
  public static let name = "uuid"
  /// The value in a program.
  public static var live: Self {
    Self {
      var generator = SystemRandomNumberGenerator()
      return UniqueID.random(using: &generator)
    }
  }
  /// The value in a test: it reports each use.
  public static var test: Self {
    Self(reporting: { location in
      reportUnimplemented(name, at: location)
      return UniqueID(0)
    })
  }
}

extension Dependencies {
  /// Makes unique identifiers: `uuid()`.
  public var uuid: UniqueIDGenerator {
    get { self[UniqueIDGenerator.self] }
    set { self[UniqueIDGenerator.self] = newValue }
  }
}
