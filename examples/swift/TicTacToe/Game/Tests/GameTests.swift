import Composable
import ComposableTesting
import TicTacToeGame
import Testing

@Suite("Example: TicTacToe, the game")
struct GameTests {
  private let store = TestStore(initialState: Game.State()) { Game() }

  private func play(_ cells: Int...) {
    for (turn, cell) in cells.enumerated() {
      let player = turn.isMultiple(of: 2) ? Game.Player.cross : .nought
      store.withExhaustivity(.off) { store.send(.tapped(cell)) { $0.cells[cell] = player } }
    }
  }

  @Test("Players move in turn, on free cells of the board only")
  func turns() {
    store.send(.tapped(4)) {
      $0.cells[4] = .cross
      $0.player = .nought
    }
    store.send(.tapped(4))
    store.send(.tapped(9))
    store.send(.tapped(-1))
    store.send(.tapped(0)) {
      $0.cells[0] = .nought
      $0.player = .cross
    }
    store.finish()
  }

  @Test("Three in a line win, and nobody moves any more")
  func winning() {
    play(0, 3, 1, 4, 2)
    #expect(store.state.winner == .cross)
    store.send(.tapped(8))
    store.send(.againTapped) { $0 = Game.State() }
    store.finish()
  }

  @Test("A full board without a line is a draw")
  func draw() {
    play(0, 1, 2, 4, 3, 5, 7, 6, 8)
    #expect(store.state.isOver && store.state.winner == nil)
    store.finish()
  }
}
