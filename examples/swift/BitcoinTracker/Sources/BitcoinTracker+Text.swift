extension BitcoinTracker.State {
  /// What the button says.
  var button: String { connectivity == .disconnected ? "Connect" : "Disconnect" }

  /// All in one line, for a terminal.
  var summary: String {
    let price = price.map { "\($0) dollars" } ?? "no price"
    return "\(connectivity.rawValue): \(price)\(problem.map { ". \($0)" } ?? "") [\(button)]"
  }
}
