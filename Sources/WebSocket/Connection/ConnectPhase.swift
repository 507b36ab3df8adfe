/// How far a connection has come before the upgrade, for texts about a passed deadline.
package enum ConnectPhase: Equatable, Sendable {
  case resolving
  case connecting
  case securing

  /// What was being waited for, as a clause.
  var text: String {
    switch self {
    case .resolving: "its name was still being looked up"
    case .connecting: "the TCP connection was still being made"
    case .securing: "the proxy or TLS handshake was still going on"
    }
  }
}
