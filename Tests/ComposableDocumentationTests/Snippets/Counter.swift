import Composable

// snippet
struct Counter: Reducer {
  struct State: Equatable {
    var count = 0
    var isAsking = false
    var fact: String?
  }

  enum Action: Sendable, Equatable {
    case incremented
    case askTapped
    case answered(String)
  }

  @Dependency(\.facts) var facts

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .incremented:
      state.count += 1
      state.fact = nil
      return .none

    case .askTapped:
      state.isAsking = true
      return .run { [count = state.count] send in
        await send(.answered(try await facts.about(count)))
      } catch: { error, send in
        await send(.answered("\(error)"))
      }

    case .answered(let text):
      state.isAsking = false
      state.fact = text
      return .none
    }
  }
}
// end
