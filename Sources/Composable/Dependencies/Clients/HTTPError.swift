/// Why a request got no response.
public struct HTTPError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds that a caller may treat differently.
  public enum Kind: Sendable, Hashable {
    /// The request can't be made as it is; trying again will not help.
    case invalidRequest
    /// The host's name is unknown, or nobody answers there.
    case unreachable
    /// The connection can't be secured.
    case security
    /// The whole response didn't come in time.
    case timeout
    /// The response is longer than the client takes.
    case tooLong
    /// The connection broke, or what came was no response, or a redirect that isn't followed.
    case broken
  }

  /// What sort of failure it is.
  public let kind: Kind
  /// Where and what happened, in one sentence.
  public let description: String

  /// Makes an error.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
