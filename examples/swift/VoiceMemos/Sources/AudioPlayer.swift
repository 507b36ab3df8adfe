import Composable

/// Plays memos aloud.
struct AudioPlayer: Sendable {
  /// Plays a memo and returns when it has come to its end; cancelling the task silences it.
  var play: @Sendable (_ id: UniqueID) async throws -> Void
}

extension AudioPlayer: DependencyKey {
  static let name = "player"
  static var live: Self { Self { _ in throw UnimplementedDependency("player.play") } }
  static var test: Self { Self(play: unimplementedFunction("player.play")) }
}

extension Dependencies {
  var player: AudioPlayer {
    get { self[AudioPlayer.self] }
    set { self[AudioPlayer.self] = newValue }
  }
}
