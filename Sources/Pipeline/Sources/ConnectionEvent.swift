/// What a script and the rules are told about the connection of a source.
package enum ConnectionEvent: Sendable, Hashable {
  /// An attempt begins.
  case connecting
  /// The connection is open and the opening messages are on their way.
  case connected
  /// Connected, but without data for longer than `stale_after`; the connection is given up.
  case stale
  /// The connection ended, or an attempt failed. The code is the WebSocket close code, the HTTP status of a
  /// refused handshake, or 1006 where there is neither.
  case disconnected(code: Int, reason: String)

  /// The name that scripts see.
  package var name: String {
    switch self {
    case .connecting: "connecting"
    case .connected: "connected"
    case .stale: "stale"
    case .disconnected: "disconnected"
    }
  }
}

extension ConnectionEvent {
  /// What the event means to rules, nil for nothing.
  var ruleSource: RuleSource? {
    switch self {
    case .connected: .live
    case .stale: .stale
    case .disconnected: .down
    case .connecting: nil
    }
  }
}
