/// What a test is told of the effect whose code runs.
enum RunningEffect {
  /// The line of source that started it.
  @TaskLocal static var location: CodeLocation?
}

extension Effect.Run {
  /// Runs a part of the work so that what it reports can name its line.
  func located(_ body: () async throws -> Void) async rethrows {
    // Only tests ask for the line.
    guard IssueReporter.current != nil else { return try await body() }
    try await RunningEffect.$location.withValue(location) { try await body() }
  }
}
