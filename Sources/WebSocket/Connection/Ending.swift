/// How a connection came to its end.
package enum Ending: Equatable, Sendable {
  /// A close frame came or our own close ran its course. `clean` is true when both sides sent a close frame.
  case closed(code: UInt16, reason: String, clean: Bool)
  /// Anything else.
  case failed(ConnectionFailure)
}
