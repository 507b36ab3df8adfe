internal import Synchronization

/// Random numbers, from the system or from a seed.
public struct RandomSource: Sendable {
  private let generate: @Sendable (CodeLocation) -> UInt64

  /// Makes a source from a function that gives 64 random bits.
  public init(_ generate: @escaping @Sendable () -> UInt64) { self.generate = { _ in generate() } }

  private init(reporting generate: @escaping @Sendable (CodeLocation) -> UInt64) {
    self.generate = generate
  }

  /// The same numbers in the same order for the same seed (SplitMix64).
  public static func seeded(_ seed: UInt64) -> Self {
    let generator = SeededGenerator(seed)
    return Self { generator.next() }
  }

  /// Runs a function with a generator that draws from this source.
  public func callAsFunction<Result>(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ body: (inout Generator) throws -> Result
  ) rethrows -> Result {
    let location = CodeLocation(fileID, line, filePath: filePath, column: column)
    var generator = Generator { generate(location) }
    return try body(&generator)
  }

  /// A random number generator on top of a source.
  public struct Generator: RandomNumberGenerator {
    let source: () -> UInt64
    /// The next 64 random bits.
    public mutating func next() -> UInt64 { source() }
  }
}

private final class SeededGenerator: Sendable {
  private let state: Atomic<UInt64>
  init(_ seed: UInt64) { state = Atomic(seed) }

  // The constants are those of SplitMix64 (Steele, Lea, Flood, 2014).
  func next() -> UInt64 {
    var bits = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

extension RandomSource: DependencyKey {
  /// What failure texts call it.
  public static let name = "random"
  /// The value in a program.
  public static var live: Self {
    Self {
      var generator = SystemRandomNumberGenerator()
      return generator.next()
    }
  }
  /// The value in a test: it reports each use.
  public static var test: Self {
    // Numbers that vary: the standard library draws again and again from a source of one number.
    let generator = SeededGenerator(0)
    return Self(reporting: { location in
      reportUnimplemented(name, at: location)
      return generator.next()
    })
  }
}

extension Dependencies {
  /// Random numbers: `random { Int.random(in: 1...6, using: &$0) }`.
  public var random: RandomSource {
    get { self[RandomSource.self] }
    set { self[RandomSource.self] = newValue }
  }
}
