import MQTT
import Scripting

extension MQTTSettings {
  private static func quality(_ help: String) -> FieldSpec {
    FieldSpec("qos", .integer(0...2), default: 0, help: help)
  }

  private static let retain = FieldSpec(
    "retain", .boolean, default: false,
    help: "Whether the broker keeps the message for those who subscribe later")

  private static let will: [FieldSpec] = [
    FieldSpec("topic", .text, required: true, help: "The topic", example: "clients/pipeline"),
    FieldSpec(
      "payload", .message, help: "A text as it is, a table as JSON; empty if not given", example: "gone"),
    quality("The quality of service"), retain,
  ]

  private static let output: [FieldSpec] = [
    FieldSpec("topic", .text, required: true, help: "The topic", example: "commands/heating"),
    quality("The quality of service"), retain,
  ]

  /// The declaration of `source.mqtt`.
  package static let spec = ComponentSpec(
    kind: .source, name: "mqtt",
    summary: "Receives the messages of topics from an MQTT broker, and connects again after each loss",
    details: [
      "ctx.topic is the topic of a message. What the broker had kept (retained messages) is marked as "
        + "ctx.replayed and so fires no alert. It speaks MQTT 3.1.1.",
      "With session = \"durable\" and a qos of 1 or 2 the broker keeps what comes while the program is away. A "
        + "message is acknowledged when it has arrived, as libmosquitto does by itself, not when its state is "
        + "stored: a crash loses what still waited for its script, and what no flush (one second) and no alert had "
        + "stored. An end by a signal loses nothing that had reached a script.",
    ],
    fields: [
      FieldSpec(
        "url", .url(schemes: ["mqtt", "mqtts"]), required: true,
        help: "The address of the broker; the port is 1883, or 8883 with TLS (mqtts), if not given",
        example: "mqtts://broker.example.org"),
      FieldSpec(
        "topics", .list(of: .text), required: true,
        help: "The topics to receive; + stands for any one level, # at the end for all further ones",
        example: ["sensors/+/temperature", "alarms/#"]),
      quality("What the broker takes care of: 0 at most once, 1 at least once, 2 exactly once"),
      FieldSpec(
        "session", .choice(["clean", "durable"]), default: "clean",
        help: "Whether the broker forgets the client at each end, or keeps messages for it"),
      FieldSpec(
        "client_id", .text,
        help:
          "The name that the broker knows the client by, which no other may have at the same time; made up "
          + "if not given",
        example: "pipeline-1"),
      FieldSpec("username", .secretText, help: "The user, a text or env \"NAME\"", example: "pipeline"),
      FieldSpec("password", .secretText, help: "The password, a text or env \"NAME\"", example: "…"),
      FieldSpec(
        "keepalive", .duration(Milliseconds.seconds(5)...Milliseconds.minutes(60)), default: "60s",
        help: "The silence after which broker and client try the connection out, in whole seconds"),
      FieldSpec(
        "connect_timeout", .duration(RequestSettings.upToADay), default: "10s",
        help: "The time that name, connection, TLS and the broker's welcome may take together"),
      FieldSpec(
        "stale_after", .duration(RequestSettings.upToADay),
        help: "The time without any message after which the source is stale and connects again",
        example: "10m"),
      FieldSpec(
        "reconnect", .group(ReconnectPolicy.fields), default: [:], help: "How a connection is opened again"),
      FieldSpec("will", .group(will), help: "What the broker publishes when the connection is lost"),
      FieldSpec("send", .group(output), help: "Where the messages go that scripts send (effect.send)"),
      WebSocketSettings.maximumMessageBytes(of: "message"),
      MessageInflater.field("How messages are compressed"),
    ] + RequestSettings.security + QueueOptions.fields + MessageOptions.fields,
    example: """
      sensors = source.mqtt {
        url = "mqtts://broker.example.org", topics = { "sensors/+/temperature" },
        qos = 1, session = "durable", client_id = "pipeline-1",
        username = env "MQTT_USER", password = env "MQTT_PASSWORD",
      }
      """,
    abilities: [.takesMessages], check: faults)

  @Sendable private static func faults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    var faults: [ComponentSpec.Fault] = []
    if let url = fields.secret("url").literal { faults += urlFaults(url) }
    let topics = fields.texts("topics")
    if topics.isEmpty { faults.append(.init("topics", "expected one topic at least, got none")) }
    for (index, topic) in topics.enumerated() where !MQTTTopic.isFilter(topic) {
      faults.append(
        .init(
          "topics[\(index + 1)]",
          "expected a topic in which + and # stand for whole levels, # for the last one, got "
            + LuaText.found(.text(topic))))
    }
    for name in ["will", "send"] {
      guard let topic = fields.optionalGroup(name)?.text("topic"), !MQTTTopic.isName(topic) else { continue }
      faults.append(
        .init("\(name).topic", "expected a topic without + and #, got \(LuaText.found(.text(topic)))"))
    }
    if fields.text("session") == "durable", fields.optionalText("client_id") == nil {
      faults.append(.init("client_id", "a durable session needs a name by which the broker knows it again"))
    }
    if fields.optionalText("client_id") == "" {
      faults.append(.init("client_id", "expected a name, got \"\"; leave it out for one made up"))
    }
    if fields.optionalSecret("password") != nil, fields.optionalSecret("username") == nil {
      faults.append(.init("password", "a password needs 'username' beside it"))
    }
    let keepalive = fields.duration("keepalive")
    if keepalive.count % 1_000 != 0 {
      faults.append(.init("keepalive", "expected whole seconds, got \"\(keepalive)\""))
    }
    faults += RequestSettings.reconnectFaults(fields) + RequestSettings.certificateFaults(fields)
    return faults + MessageOptions.faults(fields) + QueueOptions.faults(fields)
  }

  private static func urlFaults(_ url: String) -> [ComponentSpec.Fault] {
    let rest = url.drop { $0 != ":" }.dropFirst(3)
    if rest.contains("@") {
      return [.init("url", "expected no user in the address; give it as 'username' and 'password'")]
    }
    guard let path = rest.firstIndex(where: { "/?#".contains($0) }), rest[path...] != "/" else { return [] }
    return [.init("url", "expected nothing behind the port; what to receive is said by 'topics'")]
  }
}
