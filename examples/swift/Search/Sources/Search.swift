import Composable

/// Finds places for what is typed, once the typing has paused.
struct Search: Reducer {
  struct State: Equatable {
    var query = ""
    var places: [Place] = []
    var failure: String?
  }

  enum Action: Sendable, Equatable {
    case typed(String)
    case found([Place])
    case failed(String)
  }

  private enum EffectName { case search }

  @Dependency(\.places) var places

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let query):
      guard query != state.query else { return .none }
      state.query = query
      guard !query.isEmpty else {
        state.places = []
        state.failure = nil
        return .cancel(id: EffectName.search)
      }
      // A further letter replaces what waits and what already asks.
      return .run { send in
        await send(.found(try await places.search(query)))
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
      .debounce(id: EffectName.search, for: .milliseconds(300))

    case .found(let places):
      state.places = places
      state.failure = nil
      return .none

    case .failed(let text):
      state.places = []
      state.failure = text
      return .none
    }
  }
}
