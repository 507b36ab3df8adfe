import Composable

/// Recognises speech, once it is permitted to listen.
struct SpeechClient: Sendable {
  enum Permission: Sendable, Equatable { case granted, denied, restricted }

  /// Asks the person for permission.
  var requestPermission: @Sendable () async throws -> Permission
  /// Listens; each element is all that was said, understood better than before. Cancelling the task ends it.
  var transcripts: @Sendable () async throws -> AsyncThrowingStream<String, any Error>
}

extension SpeechClient: DependencyKey {
  static let name = "speech"

  static var live: Self {
    Self(
      requestPermission: { .restricted },
      transcripts: { throw UnimplementedDependency("speech.transcripts") })
  }

  static var test: Self {
    Self(
      requestPermission: unimplementedFunction("speech.requestPermission"),
      transcripts: unimplementedFunction("speech.transcripts"))
  }
}

extension Dependencies {
  var speech: SpeechClient {
    get { self[SpeechClient.self] }
    set { self[SpeechClient.self] = newValue }
  }
}
