import HTTP
import Scripting

extension WebSocketSettings {
  private static let upToADay = Milliseconds(1)...Milliseconds.minutes(24 * 60)

  /// The declaration of `source.websocket`.
  package static let spec = ComponentSpec(
    kind: .source, name: "websocket",
    summary: "Receives messages over a WebSocket connection, and opens it again whenever it ends",
    fields: [
      FieldSpec(
        "url", .url(schemes: ["ws", "wss"]), required: true,
        help: "The address of the feed; {position} in it stands for the position to resume at",
        example: "wss://example.org/prices?assets=bitcoin"),
      FieldSpec(
        "headers", .headers,
        help:
          "Headers of the opening request, each a text or env \"NAME\"; or a function that is called before each "
          + "connection with ctx, a table of source, connection and time, and returns them",
        example: ["Authorization": "Bearer …"]),
      FieldSpec(
        "subprotocols", .list(of: .text), help: "Subprotocols to offer, the preferred one first",
        example: ["v2.feed"]),
      FieldSpec(
        "ping", .duration(.zero...Milliseconds.minutes(24 * 60)), default: "20s",
        help: "The time between two pings; \"0s\" for none"),
      FieldSpec(
        "ping_timeout", .duration(upToADay), default: "10s",
        help:
          "The time after a ping before the connection is given up, if neither its pong nor anything else comes"
      ),
      FieldSpec(
        "connect_timeout", .duration(upToADay), default: "10s",
        help: "The time that name, connection, TLS and handshake may take together"),
      FieldSpec(
        "stale_after", .duration(upToADay),
        help: "The time without any message after which the source is stale and connects again; pongs don't "
          + "count, and it runs from the opening on",
        example: "60s"),
      QuietHours.field,
      FieldSpec(
        "reconnect", .group(ReconnectPolicy.fields), default: [:], help: "How a connection is opened again"),
      maximumMessageBytes(of: "message"),
      FieldSpec(
        "compression", .boolean, default: true,
        help: "Offers to compress messages (permessage-deflate): a quarter of the bytes is usual, for less "
          + "than a microsecond of work on a small message"),
      MessageInflater.field(
        "How binary messages are compressed, beyond what the connection itself does; texts pass as they are"),
    ] + RequestSettings.security + [
      RequestSettings.proxy,
      FieldSpec(
        "position", .text,
        help: "The message field that is the position to resume at, with dots between the names on the way",
        example: "data.seq"),
      FieldSpec(
        "first_position", .text, default: "", help: "The position used before there is one"),
    ] + SessionSettings.fields + QueueOptions.fields + MessageOptions.fields,
    example: """
      btc = source.websocket {
        url = "wss://example.org/prices?assets=bitcoin", stale_after = "60s",
        open = { { op = "subscribe", channel = "prices" } },
        reconnect = { first = "1s", cap = "60s" },
      }
      """,
    abilities: [.takesMessages], check: faults)

  /// The option that bounds one message or line.
  static func maximumMessageBytes(of noun: String) -> FieldSpec {
    FieldSpec(
      "max_message_bytes", .integer(1...1 << 30), unit: "bytes", default: 4_194_304,
      help: "The most that one \(noun) may have; a larger one is an error and is not handed on")
  }

  @Sendable private static func faults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    var faults =
      SessionSettings.faults(fields) + QuietHours.faults(fields) + MessageOptions.faults(fields)
      + QueueOptions.faults(fields)
    let url = fields.secret("url").literal
    if let url, placeholder(in: url) != nil, fields.optionalText("position") == nil {
      faults.append(
        .init("url", "{position} needs the option 'position', which names the message field that holds it"))
    }
    if let position = fields.optionalText("position"),
      position.split(separator: ".", omittingEmptySubsequences: false).contains("")
    {
      faults.append(
        .init("position", "expected names with dots between, got \(LuaText.found(.text(position)))"))
    }
    faults += RequestSettings.headerFaults(fields.headers("headers"), isReserved: isReserved)
    for (index, name) in fields.texts("subprotocols").enumerated() where !name.isHTTPToken {
      faults.append(
        .init(
          "subprotocols[\(index + 1)]", "expected a name without blanks, got \(LuaText.found(.text(name)))"))
    }
    return faults + RequestSettings.reconnectFaults(fields) + RequestSettings.certificateFaults(fields)
  }

  /// Whether the handshake itself sets a header, in lower case.
  private static func isReserved(_ header: String) -> Bool {
    header.hasPrefix("sec-websocket-") || header == "upgrade"
  }
}
