/// Tells the date and time.
public struct DateGenerator: Sendable {
  private let generate: @Sendable (CodeLocation) -> UnixTime

  /// Makes a generator from a function.
  public init(_ generate: @escaping @Sendable () -> UnixTime) { self.generate = { _ in generate() } }

  private init(reporting generate: @escaping @Sendable (CodeLocation) -> UnixTime) {
    self.generate = generate
  }

  /// Always the same date.
  public static func constant(_ time: UnixTime) -> Self { Self { time } }

  /// The date and time now.
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> UnixTime {
    generate(CodeLocation(fileID, line, filePath: filePath, column: column))
  }
}

extension DateGenerator: DependencyKey {
  /// What failure texts call it.
  public static let name = "date"
  /// The value in a program.
  public static var live: Self { Self { UnixTime.systemNow() } }
  /// The value in a test: it reports each use.
  public static var test: Self {
    Self(reporting: { location in
      reportUnimplemented(name, at: location)
      return UnixTime(seconds: 0)
    })
  }
}

extension Dependencies {
  /// Tells the date and time: `date()`.
  public var date: DateGenerator {
    get { self[DateGenerator.self] }
    set { self[DateGenerator.self] = newValue }
  }
}
