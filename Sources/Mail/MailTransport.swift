internal import CCurl
package import HTTP

/// Sends mail over SMTP through a ``TransferLoop``.
package struct MailTransport: Sendable {
  private let loop: TransferLoop
  private let server: MailServer

  /// Makes a transport to a server.
  package init(_ loop: TransferLoop, server: MailServer) {
    self.loop = loop
    self.server = server
  }

  /// Sends a mail; returns once the server has taken it for all recipients, otherwise nobody gets it.
  ///
  /// - Throws: ``TransferFailure``, of kind `refused` with the server's code where it said no, or
  ///   `CancellationError`.
  package func send(_ message: MailMessage) async throws {
    for address in [message.sender] + message.recipients where !MailMessage.isAddress(address) {
      throw TransferFailure(.invalid, "an address of the mail is none: expected one such as ann@example.org")
    }
    let server = server
    var request = TransferRequest(url: server.url, schemes: ["smtp", "smtps"]) {
      handle throws(TransferFailure) in
      try handle.set(
        CURLOPT_USE_SSL, server.requiresTLS ? Int(CURLUSESSL_ALL.rawValue) : Int(CURLUSESSL_NONE.rawValue))
      if !server.user.isEmpty {
        try handle.set(CURLOPT_USERNAME, server.user)
        try handle.set(CURLOPT_PASSWORD, server.password)
      }
      try handle.set(CURLOPT_MAIL_FROM, "<\(message.sender)>")
      try handle.set(CURLOPT_MAIL_RCPT, message.recipients.map { "<\($0)>" })
      try handle.set(CURLOPT_HTTPHEADER, message.head)
      try handle.setMIME { mime throws(TransferFailure) in
        guard let part = curl_mime_addpart(mime),
          curl_mime_data(part, message.text, message.text.utf8.count) == CURLE_OK,
          curl_mime_type(part, "text/plain; charset=utf-8") == CURLE_OK,
          curl_mime_encoder(part, "quoted-printable") == CURLE_OK
        else { throw TransferFailure(.resources, "no memory for a mail") }
      }
    }
    request.tls = server.tls
    request.timeout = server.timeout
    request.connectTimeout = min(server.timeout, .seconds(10))
    _ = try await loop.perform(request)
  }
}
