import Composable
import TicTacToeGame
import TicTacToeLogin

/// A login, then games until the player quits.
struct TicTacToe: Reducer {
  enum State: Equatable {
    case login(Login.State)
    case game(Game.State)
  }

  enum Action: Sendable, Equatable {
    case login(Login.Action)
    case game(Game.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .login(.loggedIn): state = .game(Game.State())
      case .game(.quitTapped): state = .login(Login.State())
      case .login, .game: break
      }
      return .none
    }
    .ifCaseLet(.login, action: .login) { Login() }
    .ifCaseLet(.game, action: .game) { Game() }
  }
}

extension Route where Whole == TicTacToe.State, Part == Login.State {
  static var login: Self {
    Route(embed: Whole.login) { if case .login(let state) = $0 { state } else { nil } }
  }
}

extension Route where Whole == TicTacToe.State, Part == Game.State {
  static var game: Self { Route(embed: Whole.game) { if case .game(let state) = $0 { state } else { nil } } }
}

extension Route where Whole == TicTacToe.Action, Part == Login.Action {
  static var login: Self {
    Route(embed: Whole.login) { if case .login(let action) = $0 { action } else { nil } }
  }
}

extension Route where Whole == TicTacToe.Action, Part == Game.Action {
  static var game: Self {
    Route(embed: Whole.game) { if case .game(let action) = $0 { action } else { nil } }
  }
}
