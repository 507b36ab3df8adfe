import Composable

// snippet
struct Session: Reducer {
  enum State: Equatable {
    case signedOut
    case counting(Counter.State)
  }

  enum Action: Sendable, Equatable {
    case signedIn
    case signedOut
    case counting(Counter.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .signedIn: state = .counting(Counter.State())
      case .signedOut: state = .signedOut
      case .counting: break
      }
      return .none
    }
    .ifCaseLet(.counting, action: .counting) { Counter() }
  }
}

extension Route where Whole == Session.State, Part == Counter.State {
  static var counting: Self {
    Route(embed: Whole.counting) { if case .counting(let state) = $0 { state } else { nil } }
  }
}

extension Route where Whole == Session.Action, Part == Counter.Action {
  static var counting: Self {
    Route(embed: Whole.counting) { if case .counting(let action) = $0 { action } else { nil } }
  }
}
// end
