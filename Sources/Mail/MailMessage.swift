/// One mail of plain text.
package struct MailMessage: Sendable, Hashable {
  package var sender: String
  package var recipients: [String]
  /// One line; other characters than ASCII are encoded.
  package var subject: String
  package var text: String
  /// What makes the mail the same at each repeat: letters, digits, dots and dashes. The sender's domain is added.
  package var id: String
  /// The date as RFC 5322 writes it.
  package var date: String

  /// Makes a mail from its parts.
  package init(
    sender: String, recipients: [String], subject: String, text: String, id: String, date: String
  ) {
    self.sender = sender
    self.recipients = recipients
    self.subject = subject
    self.text = text
    self.id = id
    self.date = date
  }

  /// Whether a text is a plain address such as `ann@example.org`, of characters that need no quotes.
  package static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"<>()[]\\,;:\"".utf8.contains($0) }
  }

  /// The lines of its head, each ready to be sent.
  var head: [String] {
    let domain = sender.split(separator: "@").last ?? ""
    return [
      "Date: \(date)", "From: <\(sender)>", "To: \(recipients.map { "<\($0)>" }.joined(separator: ", "))",
      "Subject: \(EncodedWords.encode(subject))", "Message-ID: <\(id)@\(domain)>",
      // So that no answering machine answers (RFC 3834).
      "Auto-Submitted: auto-generated", "X-Auto-Response-Suppress: All",
    ]
  }
}
