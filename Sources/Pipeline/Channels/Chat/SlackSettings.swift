internal import Composable
internal import Scripting

/// The settings of `channel.slack`.
package struct SlackSettings: ChannelSettings {
  /// Slack's advice for one message; from there on it splits texts, and cuts them at 40,000 characters.
  static let limit = ChatLimit(units: 4_000, count: { $0.unicodeScalars.count }, escape: escape)

  package var url: Secret
  package var receiver: ReceiverSettings
  package var policy: DeliveryPolicy

  package init(fields: FieldReader) {
    url = fields.secret("url")
    receiver = ReceiverSettings(fields: fields)
    policy = DeliveryPolicy(fields: fields, timeout: receiver.timeout)
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    var receiver = receiver.receiver(context)
    let url = try url.text(forChannel: name)
    receiver.secrets = [url]
    return HTTPChannel(name: name, receiver: receiver) { alert, _ in
      HTTPClient.Request(url, method: "POST", headers: [.json], body: Self.body(ChatMessage(alert)))
    }
  }

  /// The body of a request. Marks such as `*` are switched off, so only Slack's three characters need escapes.
  static func body(_ message: ChatMessage) -> [UInt8] {
    let text = limit.message(message) { "\($0)\n\($1)\n\($2)" }
    let body: Value = ["text": .text(text), "mrkdwn": false, "unfurl_links": false, "unfurl_media": false]
    return Array(body.json.utf8)
  }

  private static let escape: @Sendable (Character, Bool) -> String = { character, _ in
    switch character {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    default: String(character)
    }
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "slack", summary: "Posts alerts to a Slack channel, through an incoming webhook",
    details: [
      "Texts are sent as they are: nobody is mentioned and no link unfolds. What is longer than 4,000 characters is "
        + "cut.",
      WebhookSettings.outcomes,
    ],
    fields: [
      FieldSpec(
        "url", .url(schemes: ["http", "https"]), required: true,
        help: "The address of the incoming webhook, which is a secret: env \"NAME\"",
        example: ["$env": "SLACK_URL"])
    ] + ReceiverSettings.fields + DeliveryPolicy.fields(pace: ["count": 1, "per": "1s"]),
    example: "team = channel.slack { url = env \"SLACK_URL\" }", check: DeliveryPolicy.faults)
}
