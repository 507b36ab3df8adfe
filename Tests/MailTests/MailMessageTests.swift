import Testing

@testable import Mail

@Suite("A mail")
struct MailMessageTests {
  @Test(
    "an address has one @ and nothing that ends or quotes it",
    arguments: [
      ("ann@example.org", true), ("a.b+c@x", true), ("ann", false), ("@x", false), ("a@", false),
      ("a@b@c", false),
      ("a b@x", false), ("<a@x>", false), ("a@x\r\nRCPT TO:<b@x>", false), ("é@x", false), ("", false),
    ])
  func addresses(text: String, isAddress: Bool) { #expect(MailMessage.isAddress(text) == isAddress) }

  @Test("its head has what mail needs, and says that a program wrote it")
  func head() {
    let message = MailMessage(
      sender: "alerts@example.org", recipients: ["ann@example.org", "bob@example.org"], subject: "over level",
      text: "", id: "1-phone", date: "Thu, 01 Jan 2026 00:00:00 +0000")
    #expect(
      message.head == [
        "Date: Thu, 01 Jan 2026 00:00:00 +0000", "From: <alerts@example.org>",
        "To: <ann@example.org>, <bob@example.org>", "Subject: over level",
        "Message-ID: <1-phone@example.org>",
        "Auto-Submitted: auto-generated", "X-Auto-Response-Suppress: All",
      ])
  }
}
