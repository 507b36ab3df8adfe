package import HTTP

/// A server that takes mail, and how to be let in.
package struct MailServer: Sendable, Hashable {
  /// An `smtp` or `smtps` URL with host and port.
  package var url: String
  /// Whether an `smtp` connection must turn to TLS (STARTTLS) before anything else is said.
  package var requiresTLS = true
  /// Empty for a server that asks for none.
  package var user = ""
  package var password = ""
  package var tls = TLSOptions()
  package var timeout = Duration.seconds(30)

  /// Makes a server that demands TLS and no password.
  package init(url: String) { self.url = url }
}
