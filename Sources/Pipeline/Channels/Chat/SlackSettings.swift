internal import Composable
internal import Scripting

/// The settings of `channel.slack`.
package struct SlackSettings: ReceiverChannelSettings {
  /// Slack's advice for one message; from there on it splits texts, and cuts them at 40,000 characters.
  static let limit = ChatLimit(units: 4_000, count: { $0.unicodeScalars.count }, escape: ChatLimit.markup)

  package var receiver: ReceiverSettings

  package init(fields: FieldReader) {
    receiver = ReceiverSettings(fields: fields)
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    let url = try receiver.address(forChannel: name)
    return HTTPChannel.posting(name, to: url, receiver: receiver.receiver(context, hiding: [url])) { alert in
      Self.body(ChatMessage(alert))
    }
  }

  /// The body of a request. Marks such as `*` are switched off, so only Slack's three characters need escapes.
  static func body(_ message: ChatMessage) -> Value {
    let text = limit.message(message) { "\($0)\n\($1)\n\($2)" }
    return ["text": .text(text), "mrkdwn": false, "unfurl_links": false, "unfurl_media": false]
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "slack", summary: "Posts alerts to a Slack channel, through an incoming webhook",
    details: [
      "Texts are sent as they are: nobody is mentioned and no link unfolds. What is longer than 4,000 characters is "
        + "cut.",
      WebhookSettings.outcomes,
    ],
    fields: [
      ReceiverSettings.urlField(
        "The address of the incoming webhook, which is a secret: env \"NAME\"",
        example: ["$env": "SLACK_URL"])
    ] + ReceiverSettings.fields(pace: ["count": 1, "per": "1s"]),
    example: "team = channel.slack { url = env \"SLACK_URL\" }", check: DeliveryPolicy.faults)
}
