import TicTacToeGame
import TicTacToeLogin

extension TicTacToe.State {
  /// What a terminal shows.
  var text: String {
    switch self {
    case .login(let login):
      if login.isBusy || login.confirmation?.isBusy == true { return "One moment …" }
      let question = login.confirmation != nil ? "Code:" : login.email.isEmpty ? "E-mail:" : "Password:"
      return [login.confirmation?.problem ?? login.problem, question].compactMap { $0 }.joined(
        separator: "\n")
    case .game(let game):
      let cells = game.cells.enumerated().map { $1?.rawValue ?? "\($0 + 1)" }
      let rows = [0, 3, 6].map { cells[$0..<$0 + 3].joined(separator: " ") }
      return (rows + [status(of: game)]).joined(separator: "\n")
    }
  }

  private func status(of game: Game.State) -> String {
    if let winner = game.winner { return "\(winner.rawValue) wins. again, quit?" }
    return game.isOver ? "A draw. again, quit?" : "\(game.player.rawValue), which cell?"
  }

  /// What a typed line means.
  func actions(for line: String) -> [TicTacToe.Action] {
    switch self {
    case .login(let login):
      if login.confirmation != nil {
        return [.login(.confirmation(.codeChanged(line))), .login(.confirmation(.submitted))]
      }
      if login.email.isEmpty { return [.login(.emailChanged(line))] }
      return line.isEmpty
        ? [.login(.emailChanged(""))] : [.login(.passwordChanged(line)), .login(.submitted)]
    case .game:
      switch line {
      case "again": return [.game(.againTapped)]
      case "quit": return [.game(.quitTapped)]
      default: return Int(line).map { [.game(.tapped($0 - 1))] } ?? []
      }
    }
  }
}
