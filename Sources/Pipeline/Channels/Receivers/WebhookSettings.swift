internal import Composable
internal import HTTP
internal import Scripting

/// The settings of `channel.webhook`.
package struct WebhookSettings: ChannelSettings {
  package var url: Secret
  package var method: String
  package var headers: [String: Secret]
  package var receiver: ReceiverSettings
  package var policy: DeliveryPolicy

  package init(fields: FieldReader) {
    url = fields.secret("url")
    method = fields.text("method")
    headers = fields.secretMap("headers")
    receiver = ReceiverSettings(fields: fields)
    policy = DeliveryPolicy(fields: fields, timeout: receiver.timeout)
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    var receiver = receiver.receiver(context)
    let url = try url.text(forChannel: name)
    receiver.secrets.append(url)
    var given: [HTTPClient.Field] = []
    for (header, secret) in headers.sorted(by: { $0.key < $1.key }) {
      let value = try secret.text(forChannel: name)
      guard value.isHeaderValue else {
        throw ChannelError("the header \(header) of the channel '\(name)' holds a control character")
      }
      receiver.secrets.append(value)
      given.append(HTTPClient.Field(header, value))
    }
    let method = method
    let headers = given.contains { $0.name.lowercased() == "content-type" } ? given : given + [.json]
    return HTTPChannel(name: name, receiver: receiver) { alert, id in
      HTTPClient.Request(
        url, method: method, headers: headers + [HTTPClient.Field("Idempotency-Key", id)],
        body: alert.jsonLine(id: id).dropLast())
    }
  }

  /// What an answer means, as help tells it.
  static let outcomes =
    "Of the receiver's answers 2xx means delivered; 408, 425, 429 and 5xx are tried again, not earlier than "
    + "Retry-After asks for; any other makes the alert a dead letter, or hands it to the fallback."

  package static let spec = ComponentSpec(
    kind: .channel, name: "webhook",
    summary: "Sends each alert to a URL as a JSON object",
    details: [
      "The object has time, kind (firing, resolved or reminder), severity, script, name, key, text, value, labels "
        + "and id. The id is also the header Idempotency-Key and the same at each repeat of the same alert.",
      outcomes,
    ],
    fields: [
      FieldSpec(
        "url", .url(schemes: ["http", "https"]), required: true,
        help: "Where alerts are sent, a text or env \"NAME\"",
        example: "https://example.org/alerts"),
      FieldSpec(
        "method", .choice(["POST", "PUT", "PATCH"]), default: "POST", help: "The method of the request"),
      FieldSpec(
        "headers", .map(of: .secretText), help: "Headers to add, each a text or env \"NAME\"",
        example: ["Authorization": "Bearer …"]),
    ] + ReceiverSettings.fields + DeliveryPolicy.fields(),
    example: """
      hook = channel.webhook {
        url = env "ALERT_URL", headers = { Authorization = env "ALERT_TOKEN" },
        pace = { count = 30, per = "1m" }, fallback = "screen",
      }
      """,
    check: { fields in
      var faults = DeliveryPolicy.faults(fields)
      for (name, value) in fields.secretMap("headers") {
        let reserved = ["connection", "content-length", "host", "idempotency-key", "transfer-encoding"]
        if !name.isHTTPToken || reserved.contains(name.lowercased()) {
          faults.append(.init("headers", "the header \(LuaText.found(.text(name))) can't be set"))
        } else if value.literal?.isHeaderValue == false {
          faults.append(.init("headers", "the header \(name) holds a control character"))
        }
      }
      return faults
    })
}

extension HTTPClient.Field {
  /// That the body is JSON.
  static var json: Self { Self("Content-Type", "application/json") }
}
