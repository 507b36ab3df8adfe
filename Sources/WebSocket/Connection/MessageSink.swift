/// Takes what a connection reports, in order. Called on the thread that called `process`.
package protocol MessageSink {
  /// The connection is open: the subprotocol agreed on, and the fields of the server's answer.
  mutating func opened(subprotocol: String?, headers: [HeaderField])

  /// A whole message. The bytes are valid during the call only; text has been checked to be UTF-8.
  mutating func message(_ bytes: UnsafeRawBufferPointer, isText: Bool)

  /// A ping came back after this many nanoseconds.
  mutating func pong(latency: UInt64)

  /// A close frame came, or our own close ran its course; the last report.
  ///
  /// - Parameters:
  ///   - code: 1005 for a close frame without a code, 1006 for none at all.
  ///   - reason: the server's words; they are its own and may be anything.
  ///   - clean: true when both sides sent a close frame.
  mutating func closed(code: UInt16, reason: String, clean: Bool)

  /// The connection could not be made or broke; the last report.
  mutating func failed(_ failure: ConnectionFailure)
}
