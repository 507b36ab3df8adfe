/// What a ``TransferLoop`` is to do: a URL, bounds, and what else the protocol needs.
package struct TransferRequest: Sendable {
  package var url: String
  /// The schemes that are allowed; whatever else the URL has is refused.
  package var schemes: [String]
  package var tls = TLSOptions()
  /// From the start to a connection that can be used.
  package var connectTimeout = Duration.seconds(10)
  /// From the start to the complete answer.
  package var timeout = Duration.seconds(30)
  /// The most bytes of an answer's body that are taken.
  package var maximumBodyBytes = 1 << 20
  /// Whether the answer stands once its head has come, whatever becomes of the body.
  package var cutsBody = false
  /// Sets the protocol's own options; called on the loop's thread.
  package var configure: @Sendable (EasyHandle) throws(TransferFailure) -> Void

  /// Makes a request with default bounds.
  package init(
    url: String, schemes: [String],
    configure: @escaping @Sendable (EasyHandle) throws(TransferFailure) -> Void
  ) {
    self.url = url
    self.schemes = schemes
    self.configure = configure
  }
}
