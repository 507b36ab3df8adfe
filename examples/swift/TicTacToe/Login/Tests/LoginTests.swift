import TicTacToeAuthentication
import Composable
import ComposableTesting
import TicTacToeLogin
import Testing

@Suite("Example: TicTacToe, the login")
struct LoginTests {
  private func store(_ email: String, _ password: String) -> TestStore<Login.State, Login.Action> {
    var state = Login.State()
    state.email = email
    state.password = password
    return TestStore(
      initialState: state, dependencies: Dependencies(.test) { $0.authentication = .live }
    ) { Login() }
  }

  /// A login that waits for its code.
  private func confirming() -> TestStore<Login.State, Login.Action> {
    let store = store("2fa@example.org", "password")
    store.send(.submitted) { $0.isBusy = true }
    store.receive(.answered(.init(token: "token of 2fa@example.org", needsCode: true))) {
      $0.isBusy = false
      $0.confirmation = Confirmation.State(token: "token of 2fa@example.org")
    }
    return store
  }

  @Test("An incomplete form asks nobody")
  func incomplete() {
    let store = store("", "")
    store.send(.emailChanged("a@example.org")) { $0.email = "a@example.org" }
    store.send(.submitted)
    store.finish()
  }

  @Test("E-mail and password are enough where no code is asked for")
  func oneStep() {
    let store = store("a@example.org", "password")
    store.send(.submitted) { $0.isBusy = true }
    store.receive(.answered(.init(token: "token of a@example.org"))) { $0.isBusy = false }
    store.receive(.loggedIn(token: "token of a@example.org"))
    store.finish()
  }

  @Test("A wrong password is told, and can be typed again")
  func wrongPassword() {
    let store = store("a@example.org", "guess")
    store.send(.submitted) { $0.isBusy = true }
    let problem = AuthenticationError.unknownUser.description
    store.receive(.failed(problem)) {
      $0.isBusy = false
      $0.password = ""
      $0.problem = problem
    }
    store.send(.passwordChanged("password")) { $0.password = "password" }
    store.finish()
  }

  @Test("The second step confirms a code; a wrong one can be typed again")
  func twoSteps() {
    let store = confirming()
    store.send(.confirmation(.codeChanged("1"))) { $0.confirmation?.code = "1" }
    store.send(.confirmation(.submitted)) { $0.confirmation?.isBusy = true }
    let problem = AuthenticationError.wrongCode.description
    store.receive(.confirmation(.failed(problem))) {
      $0.confirmation?.isBusy = false
      $0.confirmation?.code = ""
      $0.confirmation?.problem = problem
    }
    store.send(.confirmation(.codeChanged("1234"))) { $0.confirmation?.code = "1234" }
    store.send(.confirmation(.submitted)) {
      $0.confirmation?.isBusy = true
      $0.confirmation?.problem = nil
    }
    store.receive(.confirmation(.confirmed(token: "token of 2fa@example.org"))) {
      $0.confirmation?.isBusy = false
    }
    store.receive(.loggedIn(token: "token of 2fa@example.org"))
    store.finish()
  }

  @Test("A second step that is left takes its question along")
  func dismissing() {
    let clock = TestClock()
    var state = Login.State()
    state.confirmation = Confirmation.State(token: "token")
    state.confirmation?.code = "1234"
    let store = TestStore(
      initialState: state,
      dependencies: Dependencies(.test) {
        $0.authentication.confirm = { _, token in
          try await clock.sleep(for: .seconds(1))
          return .init(token: token)
        }
      }
    ) { Login() }
    store.send(.confirmation(.submitted)) { $0.confirmation?.isBusy = true }
    store.send(.confirmationDismissed) { $0.confirmation = nil }
    #expect(clock.sleeperCount == 0)
    store.finish()
  }
}
