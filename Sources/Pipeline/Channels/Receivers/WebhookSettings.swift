internal import Composable
internal import HTTP
internal import Scripting

/// The settings of `channel.webhook`.
package struct WebhookSettings: ReceiverChannelSettings {
  package var method: String
  package var headers: [String: Secret]
  package var body: FunctionReference?
  package var receiver: ReceiverSettings

  package init(fields: FieldReader) {
    method = fields.text("method")
    headers = fields.secretMap("headers")
    body = fields.optionalFunction("body")
    receiver = ReceiverSettings(fields: fields)
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    let url = try receiver.address(forChannel: name)
    let headers = try RequestHeaders(headers, forChannel: name)
    let receiver = receiver.receiver(context, hiding: [url] + headers.secrets)
    let (method, fields) = (method, headers.withJSON)
    let body = try body.map { function throws(ChannelError) in
      try BodyFunction(function, forChannel: name, context: context)
    }
    return HTTPChannel(name: name, receiver: receiver, body: body) { alert, id in
      HTTPClient.Request(
        url, method: method, headers: fields + [HTTPClient.Field("Idempotency-Key", id)],
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
        + "and id; what a script publishes is sent as it is. The id is also the header Idempotency-Key and the same at each repeat of the same alert.",
      "With body = function(alert) return { title = alert.name, message = alert.text } end the body is what the "
        + "function returns, whatever that is asked for elsewhere. It runs in the sandbox; one that fails costs no "
        + "alert: the plain body goes in its place, and an alert of the host's own says so.",
      outcomes,
    ],
    fields: [
      ReceiverSettings.urlField(
        "Where alerts are sent, a text or env \"NAME\"", example: "https://example.org/alerts"),
      FieldSpec(
        "method", .choice(["POST", "PUT", "PATCH"]), default: "POST", help: "The method of the request"),
      RequestHeaders.field,
      FieldSpec(
        "body", .function,
        help:
          "Makes other bodies: it is given the fields of the plain one and returns a table, sent as JSON, or a text"
      ),
    ] + ReceiverSettings.fields(),
    example: """
      hook = channel.webhook {
        url = env "ALERT_URL", headers = { Authorization = env "ALERT_TOKEN" },
        pace = { count = 30, per = "1m" }, fallback = "screen",
      }
      """,
    abilities: [.publishes], check: { DeliveryPolicy.faults($0) + RequestHeaders.faults($0) })
}
