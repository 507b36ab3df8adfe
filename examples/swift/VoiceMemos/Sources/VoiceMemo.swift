import Composable

/// A recorded memo that can be played.
struct VoiceMemo: Reducer {
  struct State: Equatable, Identifiable {
    let id: UniqueID
    var title: String
    var length: Duration
    /// How much was played; nil while it isn't playing.
    var played: Duration?
  }

  enum Action: Sendable, Equatable {
    case buttonTapped
    case stopped
    case ticked
    case ended
    case failed(String)
  }

  private enum EffectName { case playback }

  @Dependency(\.clock) var clock
  @Dependency(\.player) var player

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .buttonTapped:
      guard state.played == nil else {
        state.played = nil
        return .cancel(id: EffectName.playback)
      }
      state.played = .zero
      return play(state.id).cancellable(id: EffectName.playback)

    case .stopped, .failed, .ended:
      state.played = nil
      return .cancel(id: EffectName.playback)

    case .ticked:
      state.played = state.played.map { min($0 + .milliseconds(500), state.length) }
      return .none
    }
  }

  private func play(_ id: UniqueID) -> Effect<Action> {
    .merge(
      .run { send in
        try await player.play(id)
        await send(.ended)
      } catch: { error, send in
        await send(.failed("\(error)"))
      },
      .run { send in
        while true {
          try await clock.sleep(for: .milliseconds(500))
          await send(.ticked)
        }
      })
  }
}
