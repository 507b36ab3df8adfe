import Composable

/// Writes down what is said.
struct Transcriber: Sendable {
  /// The whole transcript so far, each time it grows; cancelling the task ends the listening.
  var transcripts: @Sendable () async throws -> AsyncThrowingStream<String, any Error>
}

extension Transcriber: DependencyKey {
  static let name = "transcriber"
  static var live: Self { Self { throw UnimplementedDependency("transcriber.transcripts") } }
  static var test: Self { Self(transcripts: unimplementedFunction("transcriber.transcripts")) }
}

extension Dependencies {
  var transcriber: Transcriber {
    get { self[Transcriber.self] }
    set { self[Transcriber.self] = newValue }
  }
}
