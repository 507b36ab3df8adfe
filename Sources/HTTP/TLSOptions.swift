/// How a server proves who it is, and how the client does.
package struct TLSOptions: Sendable, Hashable {
  /// Whether the certificate's chain and host name are checked. Off only for tests.
  package var isVerified = true
  /// A PEM file of authorities to trust instead of the system's.
  package var authoritiesFile: String?
  /// A PEM file with the client's certificate.
  package var clientCertificate: String?
  /// A PEM file with the client's key; may be the certificate's file.
  package var clientKey: String?

  /// Verification against the system's authorities.
  package init() {}
}
