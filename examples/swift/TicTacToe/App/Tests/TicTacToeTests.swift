import TicTacToeAuthentication
import Composable
import ComposableTesting
import TicTacToeGame
import TicTacToeLogin
import Testing

@testable import TicTacToeExample

@Suite("Example: TicTacToe, from the login to the game")
struct TicTacToeTests {
  private let store = TestStore(
    initialState: TicTacToe.State.login(Login.State()),
    dependencies: Dependencies(.test) { $0.authentication = .live }, exhaustivity: .off
  ) { TicTacToe() }

  /// Types lines as a person does, and answers what the terminal shows after the last one.
  private func type(_ lines: String...) -> String {
    for line in lines {
      for action in store.state.actions(for: line) {
        store.send(action)
        store.skipReceivedActions()
      }
    }
    return store.state.text
  }

  @Test("A person logs in with a code, wins and quits")
  func whole() {
    #expect(store.state.text == "E-mail:")
    #expect(type("2fa@example.org") == "Password:")
    #expect(type("guess") == "This e-mail and password don't belong together.\nPassword:")
    #expect(type("password") == "Code:")
    #expect(type("4321") == "This isn't the code that was sent.\nCode:")
    #expect(type("1234") == "1 2 3\n4 5 6\n7 8 9\nX, which cell?")
    #expect(type("5", "nonsense", "1") == "O 2 3\n4 X 6\n7 8 9\nX, which cell?")
    #expect(type("2", "3", "8") == "O X O\n4 X 6\n7 X 9\nX wins. again, quit?")
    #expect(type("again") == "1 2 3\n4 5 6\n7 8 9\nX, which cell?")
    #expect(type("quit") == "E-mail:")
    store.finish()
  }
}
