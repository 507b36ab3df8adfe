/// Reports that a test touched a dependency that it didn't give.
///
/// Call it from the functions of a dependency's test value.
///
/// - Parameters:
///   - name: The name of the dependency, with its function.
///   - location: The line of the caller, where the function knows it; where nil, the line that started the
///     running effect, or that of the test.
public func reportUnimplemented(_ name: String, at location: CodeLocation? = nil) {
  IssueReporter.ambient.report(
    Issue(
      "The dependency \(name) was used, but this test gives none. Tests get no real dependencies, so that "
        + "they can't reach the world by accident. To fix, set it in the store's dependencies: "
        + "Dependencies(.test) { $0.… = … }.", at: location ?? RunningEffect.location))
}

/// The error thrown by dependencies that a test didn't give.
public struct UnimplementedDependency: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the dependency, with its function.
  public let name: String

  /// Makes the error.
  public init(_ name: String) { self.name = name }

  /// The text that failure texts and logs show.
  public var description: String { "The dependency \(name) isn't implemented." }
}

/// A function that reports its use and throws; the test value of a dependency's function.
///
/// It reports at the line that started the running effect, or at that of the test.
///
///     static let test = Self(price: unimplementedFunction("prices.price"))
public func unimplementedFunction<each Input, Output>(
  _ name: String
) -> @Sendable (repeat each Input) async throws -> Output {
  { (_: repeat each Input) in
    reportUnimplemented(name)
    throw UnimplementedDependency(name)
  }
}
