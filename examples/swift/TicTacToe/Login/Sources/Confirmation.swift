internal import TicTacToeAuthentication
public import Composable

/// The second step of a login: a code that was sent to the person.
public struct Confirmation: Reducer, Sendable {
  /// What is typed and what became of it.
  public struct State: Equatable {
    /// The proof from the first step.
    public var token: String
    /// What is typed.
    public var code = ""
    /// Whether an answer is awaited.
    public var isBusy = false
    /// Why the code wasn't taken.
    public var problem: String?

    /// Begins the step.
    public init(token: String) { self.token = token }
  }

  /// What can happen.
  public enum Action: Sendable, Equatable {
    case codeChanged(String)
    case submitted
    case confirmed(token: String)
    case failed(String)
  }

  @Dependency(\.authentication) var authentication

  /// Makes the feature.
  public init() {}

  /// Changes the state for one action and returns what follows.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .codeChanged(let code): state.code = code
    case .submitted:
      guard !state.isBusy, !state.code.isEmpty else { return .none }
      state.isBusy = true
      state.problem = nil
      return .run { [code = state.code, token = state.token] send in
        await send(.confirmed(token: try await authentication.confirm(code, token).token))
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
    case .confirmed: state.isBusy = false
    case .failed(let text):
      state.isBusy = false
      state.code = ""
      state.problem = text
    }
    return .none
  }
}
