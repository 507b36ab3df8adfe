internal import Composable
internal import HTTP
internal import Scripting

/// The settings of `channel.alertmanager`.
package struct AlertmanagerSettings: ChannelSettings {
  package var url: Secret
  package var headers: [String: Secret]
  package var labels: [String: String]
  package var interval: Milliseconds
  package var receiver: ReceiverSettings
  package var policy: DeliveryPolicy

  package init(fields: FieldReader) {
    url = fields.secret("url")
    headers = fields.secretMap("headers")
    labels = fields.textMap("labels")
    interval = fields.duration("repeat_every")
    receiver = ReceiverSettings(fields: fields)
    policy = DeliveryPolicy(fields: fields, timeout: receiver.timeout)
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    var receiver = receiver.receiver(context)
    var base = try url.text(forChannel: name)
    while base.hasSuffix("/") { base.removeLast() }
    receiver.secrets = [base]
    let headers = try RequestHeaders(headers, forChannel: name)
    receiver.secrets += headers.secrets
    let request = HTTPClient.Request("\(base)/api/v2/alerts", method: "POST", headers: headers.withJSON)
    return AlertmanagerChannel(
      name: name, receiver: receiver, request: request, labels: labels, interval: interval, context: context)
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "alertmanager",
    summary: "Posts alerts to a Prometheus Alertmanager, again while they go on, and tells when they end",
    details: [
      "Labels are alertname, severity, script, key and the alert's own; the text is the annotation summary. An alert "
        + "of a rule goes on until the rule resolves it; any other, and all of them if the host is gone, end by "
        + "themselves after four times repeat_every.",
      WebhookSettings.outcomes,
    ],
    fields: [
      FieldSpec(
        "url", .url(schemes: ["http", "https"]), required: true,
        help: "The Alertmanager, without /api/v2/alerts",
        example: "http://localhost:9093"),
      RequestHeaders.field,
      FieldSpec(
        "labels", .map(of: .text), default: [:], help: "Labels to add to every alert",
        example: ["site": "home"]),
      FieldSpec(
        "repeat_every", .duration(Milliseconds(10)...Milliseconds.minutes(24 * 60)), default: "1m",
        help: "The time after which alerts that go on are posted again"),
    ] + ReceiverSettings.fields + DeliveryPolicy.fields(),
    example: "ops = channel.alertmanager { url = \"http://localhost:9093\" }",
    check: { DeliveryPolicy.faults($0) + RequestHeaders.faults($0) })
}
