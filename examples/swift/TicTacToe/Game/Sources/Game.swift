public import Composable

/// A game of noughts and crosses.
public struct Game: Reducer, Sendable {
  /// Who plays; crosses begin.
  public enum Player: String, Sendable, Equatable {
    case cross = "X"
    case nought = "O"

    /// The one who isn't this one.
    public var other: Self { self == .cross ? .nought : .cross }
  }

  /// The board and whose turn it is.
  public struct State: Equatable {
    /// The nine cells, row by row.
    public var cells = [Player?](repeating: nil, count: 9)
    /// Who is to move.
    public var player = Player.cross

    /// Begins with an empty board.
    public init() {}

    /// Who has three in a line.
    public var winner: Player? {
      let lines = [
        [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
      ]
      return lines.lazy.compactMap { line in
        let players = Set(line.map { cells[$0] })
        return players.count == 1 ? players.first ?? nil : nil
      }.first
    }

    /// Whether nobody can move any more.
    public var isOver: Bool { winner != nil || !cells.contains(nil) }
  }

  /// What can happen.
  public enum Action: Sendable, Equatable {
    case tapped(Int)
    case againTapped
    case quitTapped
  }

  /// Makes the feature.
  public init() {}

  /// Changes the state for one action.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .tapped(let cell):
      guard state.cells.indices.contains(cell), state.cells[cell] == nil, !state.isOver else { return .none }
      state.cells[cell] = state.player
      if !state.isOver { state.player = state.player.other }
    case .againTapped: state = State()
    case .quitTapped: break
    }
    return .none
  }
}
