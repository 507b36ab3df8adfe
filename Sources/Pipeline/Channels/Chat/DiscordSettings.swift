internal import Composable
internal import Scripting

/// The settings of `channel.discord`.
package struct DiscordSettings: ReceiverChannelSettings {
  /// What Discord takes as the content of a message; UTF-16 never counts less than its characters.
  static let limit = ChatLimit(units: 2_000, count: { $0.utf16.count }, escape: escape)

  package var username: String?
  package var receiver: ReceiverSettings

  package init(fields: FieldReader) {
    username = fields.optionalText("username")
    receiver = ReceiverSettings(fields: fields)
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    let url = try receiver.address(forChannel: name)
    var receiver = receiver.receiver(context, hiding: [url])
    receiver.waitInBody = { $0["retry_after"]?.double }
    let username = username
    return HTTPChannel.posting(name, to: url, receiver: receiver) { alert in
      Self.body(ChatMessage(alert), username: username)
    }
  }

  /// The body of a request: nobody is mentioned, and links show no preview.
  static func body(_ message: ChatMessage, username: String?) -> Value {
    let text = limit.message(message) { "**\($0)**\n\($1)\n-# \($2)" }
    let suppressEmbeds: Value = 4
    var body: [String: Value] = [
      "content": .text(text), "allowed_mentions": ["parse": []], "flags": suppressEmbeds,
    ]
    if let username { body["username"] = .text(username) }
    return .map(body)
  }

  /// Whatever could be a mark of Markdown, a mention, a time or an emoji gets a backslash.
  private static let escape: @Sendable (Character, Bool) -> String = { character, startsLine in
    let isMark = "\\*_~`|<>[]".contains(character) || (startsLine && "#-+".contains(character))
    return isMark ? "\\\(character)" : String(character)
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "discord", summary: "Posts alerts to a Discord channel, through a webhook",
    details: [
      "Texts show as they are: nobody is mentioned and no link unfolds. What is longer than 2,000 characters, escapes "
        + "included, is cut.",
      WebhookSettings.outcomes,
    ],
    fields: [
      ReceiverSettings.urlField(
        "The address of the webhook, which is a secret: env \"NAME\"", example: ["$env": "DISCORD_URL"]),
      FieldSpec(
        "username", .text, help: "The name to post under, in place of the webhook's own", example: "pipeline"),
    ] + ReceiverSettings.fields(pace: ["count": 1, "per": "2s"]),
    example: "team = channel.discord { url = env \"DISCORD_URL\" }",
    check: { fields in
      var faults = DeliveryPolicy.faults(fields)
      if let name = fields.optionalText("username"), !(1...80).contains(name.count) {
        faults.append(.init("username", "expected a name of 1 to 80 characters, got \(name.count)"))
      }
      return faults
    })
}
