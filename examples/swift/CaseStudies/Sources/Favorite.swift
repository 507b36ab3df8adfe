import Composable

/// An optimistic change: the heart turns at once, and back where the server refuses.
struct Favorite: Reducer {
  struct State: Equatable {
    let id: UniqueID
    var isFavorite = false
    /// What the server knows, while it may be something else.
    var confirmed: Bool?
    var problem: String?
  }

  enum Action: Sendable, Equatable { case heartTapped, saved(Bool), refused(String) }

  private enum EffectName { case save }

  /// Tells the server, and returns what it knows then.
  let save: @Sendable (_ id: UniqueID, _ isFavorite: Bool) async throws -> Bool

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .heartTapped:
      state.confirmed = state.confirmed ?? state.isFavorite
      state.isFavorite.toggle()
      state.problem = nil
      return .run { [id = state.id, isFavorite = state.isFavorite] send in
        await send(.saved(try await save(id, isFavorite)))
      } catch: { error, send in
        await send(.refused("\(error)"))
      }
      .cancellable(id: EffectName.save, cancelInFlight: true)
    case .saved(let isFavorite):
      state.isFavorite = isFavorite
      state.confirmed = nil
    case .refused(let text):
      state.isFavorite = state.confirmed ?? state.isFavorite
      state.confirmed = nil
      state.problem = text
    }
    return .none
  }
}
