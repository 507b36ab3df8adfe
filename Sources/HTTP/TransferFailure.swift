/// Why a request got no answer, in one sentence without secrets.
///
/// Of a URL only scheme, host and port appear: path, query, user and password may be secret, as may headers.
package struct TransferFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds that a caller may treat differently.
  package enum Kind: Sendable, Hashable {
    /// What was asked for can't be done at all; another attempt is useless.
    case invalid
    case nameResolution
    case connect
    case timeout
    case tls
    case proxy
    /// The connection broke before the answer was complete.
    case dropped
    /// The answer is larger than allowed.
    case tooLarge
    /// A redirect that is not followed.
    case redirect
    /// The server said no, with its code; used where that is no answer of its own, as for mail.
    case refused(code: Int)
    case resources
  }

  package var kind: Kind
  package var description: String

  /// Makes a failure from its sentence.
  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
