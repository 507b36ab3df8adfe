package import HTTP

/// Why a connection could not be made or came to an abnormal end, in one sentence without secrets.
///
/// Header values, user names, passwords and queries of URLs never appear in the text.
package struct ConnectionFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds that a caller may treat differently.
  package enum Kind: Equatable, Sendable {
    /// An option is wrong; connecting again will not help. Holds the option's name.
    case configuration(option: String)
    /// The host's name, or the proxy's, could not be resolved.
    case nameResolution
    /// Nobody accepted the TCP connection, or it broke while it was made.
    case connect
    /// The proxy refused.
    case proxy
    /// TLS failed: certificates, versions, files.
    case tls
    /// The connect deadline passed.
    case connectTimeout
    /// The server answered the upgrade with another status than 101.
    case httpStatus(Int)
    /// The server's answer to the upgrade was not a valid one.
    case handshake
    /// A redirect led nowhere: too many, no location, or from wss to ws.
    case redirect
    /// The server broke the protocol; holds the code that the close frame told it.
    case protocolViolation(closeCode: UInt16)
    /// The connection ended without a close frame.
    case dropped
    /// A ping was not answered in time.
    case pingTimeout
    /// The process ran out of something: descriptors, memory, randomness.
    case resources
  }

  /// What sort of failure it is.
  package var kind: Kind
  /// One sentence: where, what was expected, what was found.
  package var description: String
  /// When the server asked to be left alone until (HTTP `Retry-After`).
  package var retryAfter: RetryAfter?
  /// The first bytes of a refusal's body, as they came; for logs at debug level only, it may repeat secrets.
  package var bodyExcerpt: [UInt8] = []

  package init(_ kind: Kind, _ description: String, retryAfter: RetryAfter? = nil, bodyExcerpt: [UInt8] = [])
  {
    self.kind = kind
    self.description = description
    self.retryAfter = retryAfter
    self.bodyExcerpt = bodyExcerpt
  }
}
