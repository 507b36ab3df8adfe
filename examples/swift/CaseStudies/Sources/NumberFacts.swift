import Composable

/// Cancellation: asks for a fact about a number, unless the number changes or the asker loses patience.
struct NumberFacts: Reducer {
  struct State: Equatable {
    var number = 0
    var isBusy = false
    var fact: String?
  }

  enum Action: Sendable, Equatable { case numberChanged(Int), askTapped, cancelTapped, answered(String) }

  private enum EffectName { case question }

  /// Answers a question for a fact.
  let fact: @Sendable (Int) async throws -> String

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .numberChanged(let number):
      state = State(number: number)
      return .cancel(id: EffectName.question)
    case .askTapped:
      state.isBusy = true
      state.fact = nil
      return .run { [number = state.number] send in
        await send(.answered(try await fact(number)))
      } catch: { error, send in
        await send(.answered("\(error)"))
      }
      .cancellable(id: EffectName.question, cancelInFlight: true)
    case .cancelTapped:
      state.isBusy = false
      return .cancel(id: EffectName.question)
    case .answered(let text):
      state.isBusy = false
      state.fact = text
      return .none
    }
  }
}
