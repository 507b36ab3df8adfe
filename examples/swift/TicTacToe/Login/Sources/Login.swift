public import TicTacToeAuthentication
public import Composable

/// A login by e-mail and password, with a code as the second step where the service asks for one.
public struct Login: Reducer, Sendable {
  /// What is typed and what became of it.
  public struct State: Equatable {
    /// Who.
    public var email = ""
    /// What is typed as the secret.
    public var password = ""
    /// Whether an answer is awaited.
    public var isBusy = false
    /// Why the login wasn't taken.
    public var problem: String?
    /// The second step, once it is asked for.
    public var confirmation: Confirmation.State?

    /// Begins with an empty form.
    public init() {}
  }

  /// What can happen.
  public enum Action: Sendable, Equatable {
    case emailChanged(String)
    case passwordChanged(String)
    case submitted
    case answered(AuthenticationClient.Answer)
    case failed(String)
    case confirmation(Confirmation.Action)
    case confirmationDismissed
    /// Told to whoever shows the login: it is done.
    case loggedIn(token: String)
  }

  @Dependency(\.authentication) var authentication

  /// Makes the feature.
  public init() {}

  /// The login with its second step.
  public var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .emailChanged(let email): state.email = email
      case .passwordChanged(let password): state.password = password
      case .submitted:
        guard !state.isBusy, !state.email.isEmpty, !state.password.isEmpty else { return .none }
        state.isBusy = true
        state.problem = nil
        return .run { [email = state.email, password = state.password] send in
          await send(.answered(try await authentication.login(email, password)))
        } catch: { error, send in
          await send(.failed("\(error)"))
        }
      case .answered(let answer):
        state.isBusy = false
        guard answer.needsCode else { return .send(.loggedIn(token: answer.token)) }
        state.confirmation = Confirmation.State(token: answer.token)
      case .failed(let text):
        state.isBusy = false
        state.password = ""
        state.problem = text
      case .confirmation(.confirmed(let token)): return .send(.loggedIn(token: token))
      case .confirmationDismissed: state.confirmation = nil
      case .confirmation, .loggedIn: break
      }
      return .none
    }
    .ifLet(\.confirmation, action: .confirmation) { Confirmation() }
  }
}

extension Route where Whole == Login.Action, Part == Confirmation.Action {
  static var confirmation: Self {
    Route(embed: Whole.confirmation) { if case .confirmation(let action) = $0 { action } else { nil } }
  }
}
