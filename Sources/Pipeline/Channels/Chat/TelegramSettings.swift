internal import Composable
internal import Scripting

/// The settings of `channel.telegram`.
package struct TelegramSettings: ReceiverChannelSettings {
  /// What Telegram takes as a message, counted without the marks.
  static let limit = ChatLimit(
    units: 4_096, count: { $0.utf16.count }, escape: ChatLimit.markup, countsEscapes: false)

  package var token: Secret
  package var chat: Secret
  package var thread: Int64?
  package var isSilent: Bool
  package var receiver: ReceiverSettings

  package init(fields: FieldReader) {
    token = fields.secret("token")
    chat = fields.secret("chat")
    thread = fields.optionalInteger("thread")
    isSilent = fields.boolean("silent")
    receiver = ReceiverSettings(fields: fields)
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    let token = try token.text(forChannel: name)
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"/?#%".utf8.contains($0) }) else {
      throw ChannelError("the token of the channel '\(name)' holds characters that no token has")
    }
    let url = try receiver.address(forChannel: name, path: "/bot\(token)/sendMessage")
    let chat = try chat.text(forChannel: name)
    var receiver = receiver.receiver(context, hiding: [token])
    receiver.waitInBody = { $0["parameters"]?["retry_after"]?.double }
    let settings = self
    return HTTPChannel.posting(name, to: url, receiver: receiver) { alert in
      settings.body(ChatMessage(alert), chat: chat)
    }
  }

  /// The body of a request, in Telegram's HTML.
  func body(_ message: ChatMessage, chat: String) -> Value {
    let text = Self.limit.message(message) { "<b>\($0)</b>\n\($1)\n<i>\($2)</i>" }
    var body: [String: Value] = [
      "chat_id": .text(chat), "text": .text(text), "parse_mode": "HTML",
      "link_preview_options": ["is_disabled": true],
    ]
    if isSilent { body["disable_notification"] = true }
    if let thread { body["message_thread_id"] = .integer(thread) }
    return .map(body)
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "telegram", summary: "Sends alerts to a Telegram chat, as a bot",
    details: [
      "Texts show as they are, without previews of links. What is longer than 4,096 characters is cut. A chat that "
        + "has never written to the bot can't be reached by it.",
      WebhookSettings.outcomes,
    ],
    fields: [
      FieldSpec(
        "token", .secretText, required: true, help: "The bot's token: env \"NAME\"",
        example: ["$env": "TELEGRAM_TOKEN"]),
      FieldSpec(
        "chat", .secretText, required: true,
        help: "The chat's number, or the @name of a public one", example: "-1001234567890"),
      FieldSpec("thread", .integer(1...Int64.max), help: "The topic within a forum, by its number"),
      FieldSpec("silent", .boolean, default: false, help: "Whether alerts come without a sound"),
      FieldSpec(
        "url", .url(schemes: ["http", "https"]), default: "https://api.telegram.org",
        help: "The address of the Bot API, for a server of one's own"),
    ] + ReceiverSettings.fields(pace: ["count": 1, "per": "3s"]),
    example: "me = channel.telegram { token = env \"TELEGRAM_TOKEN\", chat = \"123456789\" }",
    check: DeliveryPolicy.faults)
}
