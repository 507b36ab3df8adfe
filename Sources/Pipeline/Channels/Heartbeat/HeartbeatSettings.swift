internal import Composable
internal import HTTP
internal import Scripting

/// The settings of `channel.heartbeat`.
package struct HeartbeatSettings: ReceiverChannelSettings {
  package var method: String
  package var headers: [String: Secret]
  package var interval: Milliseconds
  package var receiver: ReceiverSettings

  package init(fields: FieldReader) {
    method = fields.text("method")
    headers = fields.secretMap("headers")
    interval = fields.duration("every")
    receiver = ReceiverSettings(fields: fields, takesAlerts: false)
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    let url = try receiver.address(forChannel: name)
    let headers = try RequestHeaders(headers, forChannel: name)
    return HeartbeatChannel(
      name: name, interval: interval, receiver: receiver.receiver(context, hiding: [url] + headers.secrets),
      request: HTTPClient.Request(url, method: method, headers: headers.fields), log: context.log)
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "heartbeat",
    summary:
      "Asks for a URL while all is well: a dead man's switch, which tells when the host itself is gone",
    details: [
      "It is for a service that raises an alarm when it hasn't been asked for a while, such as healthchecks.io. All is "
        + "well while every source is connected and sends, every script and channel works, and the storage is written. "
        + "It takes no alerts, so routes can't name it."
    ],
    fields: [
      ReceiverSettings.urlField(
        "The address to ask for, a text or env \"NAME\"", example: ["$env": "HEARTBEAT_URL"]),
      FieldSpec(
        "every", .duration(Milliseconds(10)...Milliseconds.minutes(24 * 60)), default: "1m",
        help: "The time between two beats"),
      FieldSpec(
        "method", .choice(["GET", "HEAD", "POST"]), default: "GET", help: "The method of the request"),
      RequestHeaders.field,
    ] + TransportSettings.fields(),
    example: "alive = channel.heartbeat { url = env \"HEARTBEAT_URL\", every = \"1m\" }", takesAlerts: false,
    check: { RequestHeaders.faults($0) })
}
