import Composable

/// Starts effects outside the store and notes how many have ended.
struct Work: Reducer {
  struct State: Sendable {
    var ended = 0
    var goal = 0
    var whenReached: CheckedContinuation<Void, Never>?
  }
  enum Action: Sendable { case run, type, ended, wait(Int, CheckedContinuation<Void, Never>) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .run: return .run { send in await send(.ended) }
    case .type: return .send(.ended).debounce(id: 1, for: .milliseconds(1))
    case .ended: state.ended += 1
    case .wait(let goal, let continuation):
      state.goal = goal
      state.whenReached = continuation
    }
    if let continuation = state.whenReached, state.ended >= state.goal {
      state.whenReached = nil
      continuation.resume()
    }
    return .none
  }
}
