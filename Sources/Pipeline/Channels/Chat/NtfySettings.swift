internal import Composable
internal import HTTP
internal import Scripting

/// The settings of `channel.ntfy`.
package struct NtfySettings: ReceiverChannelSettings {
  /// What a server of ntfy takes as a message before it makes an attachment of it.
  static let limit = ChatLimit(
    units: 4_096, count: { $0.utf8.count }, escape: { character, _ in String(character) })
  private static let titleUnits = 250

  package var topic: Secret
  package var token: Secret?
  package var receiver: ReceiverSettings

  package init(fields: FieldReader) {
    topic = fields.secret("topic")
    token = fields.optionalSecret("token")
    receiver = ReceiverSettings(fields: fields)
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    let topic = try topic.text(forChannel: name)
    guard Self.isTopic(topic) else {
      throw ChannelError(
        "the topic of the channel '\(name)' is none: expected 1 to 64 letters, digits, '-' and '_'")
    }
    let url = try receiver.address(forChannel: name)
    var headers: [HTTPClient.Field] = []
    var secrets = [topic]
    if let token = try token?.text(forChannel: name) {
      guard token.isHeaderValue else {
        throw ChannelError("the token of the channel '\(name)' holds a control character")
      }
      secrets.append(token)
      headers.append(HTTPClient.Field("Authorization", "Bearer \(token)"))
    }
    let receiver = receiver.receiver(context, hiding: secrets)
    return HTTPChannel.posting(name, to: url, receiver: receiver, headers: headers) { alert in
      Self.body(alert, topic: topic)
    }
  }

  /// The body of a request: priority and sign follow the severity.
  static func body(_ alert: Alert, topic: String) -> Value {
    var message = ChatMessage(alert)
    let title = limit.fitted(message.heading, within: titleUnits)
    message.heading = ""
    var (priority, sign): (Value, Value) =
      switch alert.severity {
      case .info: (3, "information_source")
      case .warning: (4, "warning")
      case .critical: (5, "rotating_light")
      }
    if alert.kind == .resolved { (priority, sign) = (3, "white_check_mark") }
    return [
      "topic": .text(topic), "title": .text(title),
      "message": .text(limit.message(message) { "\($1)\n\($2)" }), "priority": priority, "tags": [sign],
    ]
  }

  private static func isTopic(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "ntfy", summary: "Sends alerts to phones and desktops through ntfy",
    details: [
      "The severity sets the priority: info 3, warning 4, critical 5. What is longer than 4,096 bytes is cut. A "
        + "topic of the public server is like a password: whoever knows it can read along.",
      WebhookSettings.outcomes,
    ],
    fields: [
      FieldSpec(
        "topic", .secretText, required: true, help: "The topic to publish to", example: ["$env": "NTFY_TOPIC"]
      ),
      FieldSpec(
        "url", .url(schemes: ["http", "https"]), default: "https://ntfy.sh",
        help: "The address of the server, without the topic"
      ),
      FieldSpec("token", .secretText, help: "An access token: env \"NAME\"", example: ["$env": "NTFY_TOKEN"]),
    ] + ReceiverSettings.fields(pace: ["count": 60, "per": "5m"]),
    example: "phone = channel.ntfy { topic = env \"NTFY_TOPIC\" }",
    check: { fields in
      var faults = DeliveryPolicy.faults(fields)
      if let topic = fields.secret("topic").literal, !isTopic(topic) {
        faults.append(.init("topic", "expected 1 to 64 letters, digits, '-' and '_'"))
      }
      return faults
    })
}
