import Composable
import TicTacToeLogin
import ExampleTerminal

/// The game in a terminal; the end of the input ends it.
@main
struct TicTacToeTerminal {
  @MainActor
  static func main() async {
    let store = Store(initialState: TicTacToe.State.login(Login.State())) { TicTacToe() }
    let observation = store.observe(\.text) { print($0) }
    for await line in typedLines() {
      for action in store.withState({ $0.actions(for: line) }) { store.send(action) }
    }
    observation.cancel()
    await store.close()
  }
}
