import Scripting
import Testing

@testable import Pipeline

@Suite("What each chat service is sent")
struct ChatBodyTests {
  private let alert = Alert.sample(
    key: "a_b", text: "1 < 2 & *x* [y](http://a_b) <!channel> @everyone\n# no list")

  @Test("Slack gets plain text with its three escapes, without mentions and previews")
  func slack() throws {
    let body = SlackSettings.body(ChatMessage(alert))
    #expect(
      body["text"]?.text
        == "WARNING: over level [a_b]\n1 &lt; 2 &amp; *x* [y](http://a_b) &lt;!channel&gt; @everyone\n# no list\n"
        + "2026-01-01T00:00:00Z · prices")
    #expect(body["mrkdwn"] == false && body["unfurl_links"] == false && body["unfurl_media"] == false)
  }

  @Test("Discord gets Markdown in which nothing of the alert is a mark or a mention")
  func discord() throws {
    let body = DiscordSettings.body(ChatMessage(alert), username: nil)
    #expect(
      body["content"]?.text
        == "**WARNING: over level \\[a\\_b\\]**\n"
        + "1 \\< 2 & \\*x\\* \\[y\\](http://a\\_b) \\<!channel\\> @everyone\n\\# no list\n"
        + "-# 2026-01-01T00:00:00Z · prices")
    #expect(body["allowed_mentions"] == ["parse": []] && body["flags"] == 4 && body["username"] == nil)
    #expect(DiscordSettings.body(ChatMessage(alert), username: "bot")["username"] == "bot")
  }

  @Test("Telegram gets HTML with its escapes, and what is configured about the chat")
  func telegram() throws {
    let plain = try #require(
      ConfiguredChannel.settings(TelegramSettings.self, ["token": "1:a", "chat": "-100"]).settings)
    let body = plain.body(ChatMessage(alert), chat: "-100")
    #expect(
      body["text"]?.text
        == "<b>WARNING: over level [a_b]</b>\n1 &lt; 2 &amp; *x* [y](http://a_b) &lt;!channel&gt; @everyone\n"
        + "# no list\n<i>2026-01-01T00:00:00Z · prices</i>")
    #expect(body["chat_id"] == "-100" && body["parse_mode"] == "HTML")
    #expect(body["link_preview_options"] == ["is_disabled": true])
    #expect(body["disable_notification"] == nil && body["message_thread_id"] == nil)
    let silent = try #require(
      ConfiguredChannel.settings(
        TelegramSettings.self, ["token": "1:a", "chat": "@c", "silent": true, "thread": 7]
      ).settings)
    let other = silent.body(ChatMessage(alert), chat: "@c")
    #expect(other["disable_notification"] == true && other["message_thread_id"] == 7)
  }

  @Test(
    "ntfy gets title, message, and a priority and sign after severity and kind",
    arguments: [
      (Alert.Kind.firing, Severity.info, 3, "information_source"), (.firing, .warning, 4, "warning"),
      (.reminder, .critical, 5, "rotating_light"), (.resolved, .critical, 3, "white_check_mark"),
    ])
  func ntfy(kind: Alert.Kind, severity: Severity, priority: Int64, sign: String) throws {
    let body = NtfySettings.body(.sample(kind: kind, severity: severity), topic: "t")
    #expect(
      body["topic"] == "t"
        && body["title"]?.text?.hasSuffix("over level [btc]\(kind == .reminder ? " (reminder)" : "")") == true
    )
    #expect(body["message"] == "bitcoin at 70010.00\n2026-01-01T00:00:00Z · prices")
    #expect(body["priority"] == .integer(priority) && body["tags"] == [.text(sign)])
  }

  @Test(
    "each service's own faults are told",
    arguments: [
      ("a b", "expected 1 to 64 letters"), (String(repeating: "x", count: 65), "expected 1 to 64 letters"),
    ])
  func topics(topic: String, finding: String) {
    let (settings, findings) = ConfiguredChannel.settings(NtfySettings.self, ["topic": .text(topic)])
    #expect(settings == nil && findings.count == 1 && findings[0].contains(finding))
    let (none, names) = ConfiguredChannel.settings(
      DiscordSettings.self, ["url": "https://e.org", "username": .text(String(repeating: "x", count: 81))])
    #expect(none == nil && names.count == 1 && names[0].contains("expected a name of 1 to 80 characters"))
  }

  @Test("each service has the pace that it is known to bear")
  func paces() throws {
    func pace<Settings: ChannelSettings>(_ type: Settings.Type, _ options: [String: Value]) -> DeliveryPace? {
      ConfiguredChannel.settings(type, options).settings?.policy.pace
    }
    #expect(pace(SlackSettings.self, ["url": "https://e.org"]) == DeliveryPace(1, per: .seconds(1)))
    #expect(pace(DiscordSettings.self, ["url": "https://e.org"]) == DeliveryPace(1, per: .seconds(2)))
    #expect(pace(TelegramSettings.self, ["token": "1:a", "chat": "1"]) == DeliveryPace(1, per: .seconds(3)))
    #expect(pace(NtfySettings.self, ["topic": "t"]) == DeliveryPace(60, per: .minutes(5)))
  }
}
