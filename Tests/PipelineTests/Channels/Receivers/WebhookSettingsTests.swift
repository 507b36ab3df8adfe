import Scripting
import Testing

@testable import Pipeline

@Suite("Settings of a webhook")
struct WebhookSettingsTests {
  @Test("Each channel has help that fits a terminal")
  func help() throws {
    for spec in Registry.builtIn.specs(of: .channel) {
      let help = try Registry.builtIn.help(on: "channel.\(spec.name)")
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help)")
    }
  }

  @Test("only the address is needed")
  func defaults() throws {
    let settings = try #require(
      ConfiguredChannel.settings(WebhookSettings.self, ["url": "https://example.org"]).settings)
    #expect(settings.method == "POST" && settings.headers.isEmpty)
    #expect(settings.receiver.transport.timeout == .seconds(10))
    var policy = DeliveryPolicy()
    policy.timeout = .seconds(20)
    #expect(settings.policy == policy)
  }

  @Test("each option about delivery has its effect")
  func delivery() throws {
    let settings = try #require(
      ConfiguredChannel.settings(
        WebhookSettings.self,
        [
          "url": "https://example.org", "pace": ["count": 30, "per": "1m"], "max_age": "2h", "timeout": "3s",
          "retry": ["first": "2s", "cap": "1m", "attempts": 7], "fallback": "screen",
        ]
      ).settings)
    #expect(settings.policy.pace == DeliveryPace(30, per: .minutes(1)))
    #expect(settings.policy.maximumAge == .minutes(120))
    #expect(settings.policy.firstRetry == .seconds(2) && settings.policy.longestRetry == .minutes(1))
    #expect(settings.policy.maximumAttempts == 7 && settings.policy.fallback == "screen")
    #expect(settings.policy.timeout == .seconds(13))
  }

  @Test(
    "each fault is told with its place",
    arguments: [
      ([:], "channels.phone.url: missing; channel.webhook needs an http:// or https:// URL, for example"),
      (["url": "ftp://example.org"], "channels.phone.url: expected an http:// or https:// URL"),
      (["url": "https://e.org", "method": "GET"], "channels.phone.method: expected"),
      (
        ["url": "https://e.org", "headers": ["Host": "x"]],
        "channels.phone.headers: the header \"Host\" can't be set"
      ),
      (
        ["url": "https://e.org", "headers": ["idempotency-key": "x"]],
        "channels.phone.headers: the header \"idempotency-key\" can't be set"
      ),
      (
        ["url": "https://e.org", "headers": ["A": "x\r\nB: y"]],
        "channels.phone.headers: the header A holds a control"
      ),
      (["url": "https://e.org", "pace": ["count": 3]], "channels.phone.pace.per: missing"),
      (
        ["url": "https://e.org", "pace": ["count": 0, "per": "1s"]],
        "channels.phone.pace.count: expected an integer"
      ),
      (
        ["url": "https://e.org", "retry": ["first": "10m"]],
        "channels.phone.retry.first: expected at most the cap"
      ),
      (["url": "https://e.org", "fallback": "nobody"], "channels.phone.fallback: unknown channel 'nobody'"),
      (["url": "https://e.org", "ca_file": "missing"], "channels.phone.ca_file: there is no file"),
      (["url": "https://e.org", "retries": 3], "channels.phone.retries: unknown option of channel.webhook"),
    ] as [([String: Value], String)])
  func faults(options: [String: Value], finding: String) {
    let (settings, findings) = ConfiguredChannel.settings(WebhookSettings.self, options)
    #expect(settings == nil)
    #expect(findings.count == 1 && findings[0].contains(finding), "\(findings)")
  }

  @Test("a variable that isn't set is told when the channel is made, with its place and without a guess")
  func environment() {
    let error = #expect(throws: ChannelError.self) {
      try ConfiguredChannel.make(
        WebhookSettings.self, ["url": ["$env": "PIPELINE_NO_SUCH_VARIABLE", "$line": 9]])
    }
    #expect(
      error?.description
        == "c.lua:9: channels.phone.url: the environment variable PIPELINE_NO_SUCH_VARIABLE is not set; "
        + "set it before the start")
  }
}
