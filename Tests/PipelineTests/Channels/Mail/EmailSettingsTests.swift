import HTTP
import Scripting
import Testing

@testable import Pipeline

@Suite("Settings of mail")
struct EmailSettingsTests {
  private static let good: [String: Value] = [
    "server": "smtp://mail.example.org:587", "from": "alerts@example.org", "to": ["ann@example.org"],
  ]

  @Test("server, sender and recipients are needed; TLS is demanded")
  func defaults() throws {
    let settings = try #require(ConfiguredChannel.settings(EmailSettings.self, Self.good).settings)
    #expect(
      settings.requiresTLS && settings.transport.tls.isVerified && settings.transport.timeout == .seconds(30))
    #expect(settings.policy.timeout == .seconds(40) && settings.policy.pace == nil)
  }

  @Test(
    "each fault is told with its place",
    arguments: [
      (["server": "https://example.org"], "channels.phone.server: expected an smtp:// or smtps:// URL"),
      (
        ["from": "alerts"],
        "channels.phone.from: expected an address such as \"ann@example.org\", got \"alerts\""
      ),
      (["to": ["ann@example.org", "a b@c"]], "channels.phone.to[2]: expected an address"),
      (["to": []], "channels.phone.to: expected at least one address, got none"),
      (["user": "ann"], "channels.phone.user: expected both 'user' and 'password', got one"),
      (
        ["user": "ann", "password": "x", "starttls": false],
        "channels.phone.starttls: expected true where a password is sent"
      ),
      (["retry": ["first": "10m"]], "channels.phone.retry.first: expected at most the cap"),
    ] as [([String: Value], String)])
  func faults(options: [String: Value], finding: String) {
    let all = Self.good.merging(options) { _, given in given }
    let (settings, findings) = ConfiguredChannel.settings(EmailSettings.self, all)
    #expect(settings == nil && findings.count == 1 && findings[0].contains(finding), "\(findings)")
  }

  @Test("a password may go to a server that speaks TLS from the start")
  func smtps() {
    let options: [String: Value] = [
      "server": "smtps://mail.example.org", "user": "ann", "password": "x", "starttls": false,
    ]
    let all = Self.good.merging(options) { _, given in given }
    #expect(ConfiguredChannel.settings(EmailSettings.self, all).findings == [])
  }

  @Test(
    "dates are those of mail",
    arguments: [
      (Int64(0), "Thu, 01 Jan 1970 00:00:00 +0000"), (1_796_018_645_123, "Mon, 30 Nov 2026 06:04:05 +0000"),
      (951_782_400_000, "Tue, 29 Feb 2000 00:00:00 +0000"), (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
    ])
  func dates(milliseconds: Int64, date: String) {
    #expect(Timestamp(milliseconds: milliseconds).mailDate == date)
  }
}
