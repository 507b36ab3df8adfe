internal import Composable
internal import HTTP
internal import Scripting

/// The settings of `channel.alertmanager`.
package struct AlertmanagerSettings: ReceiverChannelSettings {
  package var headers: [String: Secret]
  package var labels: [String: String]
  package var interval: Milliseconds
  package var receiver: ReceiverSettings

  package init(fields: FieldReader) {
    headers = fields.secretMap("headers")
    labels = fields.textMap("labels")
    interval = fields.duration("repeat_every")
    receiver = ReceiverSettings(fields: fields)
    receiver.policy.isToldAtOnce = true
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    let url = try receiver.address(forChannel: name, path: Self.path)
    let headers = try RequestHeaders(headers, forChannel: name)
    let secrets = [String(url.dropLast(Self.path.count))] + headers.secrets
    return AlertmanagerChannel(
      name: name, receiver: receiver.receiver(context, hiding: secrets),
      request: HTTPClient.Request(url, method: "POST", headers: headers.withJSON), labels: labels,
      interval: interval, context: context)
  }

  private static let path = "/api/v2/alerts"

  package static let spec = ComponentSpec(
    kind: .channel, name: "alertmanager",
    summary: "Posts alerts to a Prometheus Alertmanager, again while they go on, and tells when they end",
    details: [
      "Labels are alertname, severity, script, key and the alert's own; the text is the annotation summary. An alert "
        + "of a rule goes on until the rule resolves it; any other, and all of them if the host is gone, end by "
        + "themselves after four times repeat_every. Nothing is held back from it: a route's 'hold' is for people.",
      WebhookSettings.outcomes,
    ],
    fields: [
      ReceiverSettings.urlField(
        "The Alertmanager, without \(path)", example: "http://localhost:9093"),
      RequestHeaders.field,
      FieldSpec(
        "labels", .map(of: .text), default: [:], help: "Labels to add to every alert",
        example: ["site": "home"]),
      FieldSpec(
        "repeat_every", .duration(Milliseconds(10)...Milliseconds.minutes(24 * 60)), default: "1m",
        help: "The time after which alerts that go on are posted again"),
    ] + ReceiverSettings.fields(),
    example: "ops = channel.alertmanager { url = \"http://localhost:9093\" }",
    check: { DeliveryPolicy.faults($0) + RequestHeaders.faults($0) })
}
