import Composable
import HTTP
import Scripting
import TestPeers
import Testing

@testable import Pipeline

@Suite(
  "Mail with a real server",
  .enabled(if: PythonServer.isAvailable, Comment(rawValue: PythonServer.reason)))
struct EmailReceiverTests {
  private let server: PythonServer

  init() throws { server = try PythonServer.mail() }

  private func origin(_ name: String) throws -> String {
    "\(name == "tls" ? "smtps" : "smtp")://127.0.0.1:\(try server.port(name))"
  }

  private func channel(
    _ name: String, to recipients: [String], _ options: [String: Value] = [:]
  ) throws -> any Channel {
    var all: [String: Value] = [
      "server": .text(try origin(name)), "from": "alerts@example.org",
      "to": .list(recipients.map { .text($0) }),
      "ca_file": .text(server.certificates.authority),
    ]
    if name == "plain" { all["starttls"] = false } else { (all["user"], all["password"]) = ("ann", "s3cret") }
    let context = ChannelContext(now: { Timestamp(milliseconds: 1_767_225_600_000) })
    return try ConfiguredChannel.make(EmailSettings.self, all.merging(options) { _, given in given }, context)
  }

  private func mails(to address: String) async throws -> [Value] {
    let answer = try await HTTPTransport(TransferLoop()).send(
      HTTPClient.Request("http://127.0.0.1:\(try server.port("http"))/mails?to=\(address)"))
    guard case .list(let mails) = try Value(json: String(decoding: answer.body, as: UTF8.self)) else {
      return []
    }
    return mails
  }

  @Test(
    "it goes over TLS and with the password, from STARTTLS on or from the start",
    arguments: ["starttls", "tls"])
  func secured(name: String) async throws {
    let address = "\(name)@example.org"
    let alert = Alert.sample(text: "bitcoin at 70 010 € \u{1F680}", labels: ["market": "spot"])
    #expect(
      try await channel(name, to: [address, "bob@\(name)"]).deliver(alert, id: "1-phone") == .delivered)
    let mail = try #require(try await mails(to: address).first)
    #expect(mail["tls"] == true && mail["user"] == "ann")
    #expect(mail["from"] == "alerts@example.org" && mail["to"] == [.text(address), .text("bob@\(name)")])
    #expect(mail["head"]?["message-id"] == "<1-phone@example.org>")
    #expect(mail["head"]?["subject"] == "WARNING: over level [btc]")
    #expect(mail["head"]?["date"] == "Thu, 01 Jan 2026 00:00:00 +0000")
    #expect(mail["head"]?["auto-submitted"] == "auto-generated")
    #expect(
      mail["text"]?.text?.replacing("\r\n", with: "\n")
        == "bitcoin at 70 010 € \u{1F680}\n\ntime: 2026-01-01T00:00:00.000Z\nseverity: warning\nkind: firing\n"
        + "script: prices\nrule: over level\nkey: btc\nvalue: 70010.0\nmarket: spot\n")
  }

  @Test(
    "any text arrives whole: other scripts in the subject, long lines, dots, and nothing that adds a header")
  func texts() async throws {
    var alert = Alert.sample(text: String(repeating: "long ", count: 500) + "\n.\n..x\nlast")
    alert.name = "über λ 🚀 " + String(repeating: "wide ", count: 30) + "\r\nBcc: eve@example.org"
    #expect(try await channel("plain", to: ["texts@example.org"]).deliver(alert, id: "2-phone") == .delivered)
    let mail = try #require(try await mails(to: "texts@example.org").first)
    let subject = try #require(mail["head"]?["subject"]?.text)
    #expect(subject.hasPrefix("WARNING: über λ 🚀 wide wide"))
    #expect(mail["head"]?["bcc"] == nil)
    #expect(mail["text"]?.text?.replacing("\r\n", with: "\n").hasPrefix(alert.text + "\n\ntime:") == true)
    guard case .integer(let longest) = mail["longest"] else { throw ChannelError("no longest line") }
    // The longest is libcurl's own, about the parts of the mail.
    #expect(longest <= 80)
  }

  @Test("what the server refuses for good is a dead letter, what it puts off is tried again")
  func refusals() async throws {
    let origin = try origin("plain")
    #expect(
      try await channel("plain", to: ["refuse@example.org", "kept@example.org"]).deliver(
        .sample(), id: "3-phone")
        == .failed(reason: "\(origin) refused the message with the code 550"))
    // Nobody got it, so a repeat after a correction reaches each once.
    #expect(try await mails(to: "kept@example.org").isEmpty)
    #expect(
      try await channel("plain", to: ["later@example.org"]).deliver(.sample(), id: "4-phone")
        == .retry(after: nil, reason: "\(origin) refused the message with the code 451"))
  }

  @Test("a wrong password is a dead letter and is not shown")
  func wrongPassword() async throws {
    let outcome = try await channel("starttls", to: ["x@example.org"], ["password": "gu3ss"])
      .deliver(.sample(), id: "5-phone")
    #expect(
      outcome
        == .failed(
          reason: "\(try origin("starttls")) refused the user or the password, with the code 535"))
  }

  @Test("nothing is said to a server with another's certificate, or one without STARTTLS")
  func tls() async throws {
    guard
      case .retry(nil, let wrong) = try await channel("wrong", to: ["x@example.org"]).deliver(
        .sample(), id: "6-phone")
    else {
      Issue.record("a wrong certificate is no reason to try again")
      return
    }
    #expect(wrong.hasPrefix("the certificate of \(try origin("wrong")) was refused"))
    #expect(
      try await channel("plain", to: ["bare@example.org"], ["starttls": true]).deliver(
        .sample(), id: "7-phone")
        == .retry(
          after: nil, reason: "\(try origin("plain")) doesn't offer STARTTLS, which the settings demand"))
    #expect(try await mails(to: "bare@example.org").isEmpty)
  }

  @Test("a server that doesn't answer, or isn't there, is tried again")
  func slow() async throws {
    let origin = try origin("plain")
    #expect(
      try await channel("plain", to: ["slow@example.org"], ["timeout": "200ms"]).deliver(
        .sample(), id: "8-phone")
        == .retry(after: nil, reason: "no answer from \(origin) within 200 ms"))
    #expect(
      try await channel("plain", to: ["x@example.org"], ["server": "smtp://127.0.0.1:1"])
        .deliver(.sample(), id: "9-phone")
        == .retry(after: nil, reason: "cannot connect to smtp://127.0.0.1:1 (port 1): Connection refused"))
  }
}
