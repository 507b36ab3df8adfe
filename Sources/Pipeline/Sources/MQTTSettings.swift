package import HTTP
package import MQTT
import Scripting

/// The settings of `source.mqtt`, which receives the messages of topics from a broker.
package struct MQTTSettings: ComponentSettings {
  /// The address of the broker.
  package var url: Secret
  /// The filters of topics, which may hold wildcards.
  package var topics: [String]
  /// What the broker is asked to do with each message.
  package var quality: MQTTConfiguration.Quality
  /// The name that the broker knows the client by; nil for one made up by chance.
  package var clientID: String?
  /// Whether the broker keeps messages while the client is away.
  package var isDurable: Bool
  /// The silence after which the connection is tried out.
  package var keepalive: Milliseconds
  package var user: Secret?
  package var password: Secret?
  /// What the broker publishes when the connection is lost.
  package var will: Message?
  /// Where messages of scripts go, nil for nowhere; its payload isn't used.
  package var output: Message?
  package var connectTimeout: Milliseconds
  /// The silence after which a connection is given up; nil for any.
  package var staleAfter: Milliseconds?
  /// How a connection is opened again.
  package var reconnect: ReconnectPolicy
  /// The most bytes of one message.
  package var maximumMessageBytes: Int
  /// How messages are compressed, nil for not at all.
  var decompress: MessageInflater.Form?
  /// How the broker proves who it is, and how the client does.
  package var tls = TLSOptions()

  /// A message to a topic.
  package struct Message: Sendable {
    package var topic: String
    package var payload: MessageTemplate?
    package var quality: MQTTConfiguration.Quality
    package var isRetained: Bool

    init(fields: FieldReader, payload: MessageTemplate?) {
      topic = fields.text("topic")
      self.payload = payload
      quality = MQTTSettings.quality(fields)
      isRetained = fields.boolean("retain")
    }
  }

  /// Takes the settings from checked options.
  package init(fields: FieldReader) {
    url = fields.secret("url")
    topics = fields.texts("topics")
    quality = Self.quality(fields)
    clientID = fields.optionalText("client_id")
    isDurable = fields.text("session") == "durable"
    keepalive = fields.duration("keepalive")
    user = fields.optionalSecret("username")
    password = fields.optionalSecret("password")
    will = fields.optionalGroup("will").map { Message(fields: $0, payload: $0.optionalMessage("payload")) }
    output = fields.optionalGroup("send").map { Message(fields: $0, payload: nil) }
    connectTimeout = fields.duration("connect_timeout")
    staleAfter = fields.optionalDuration("stale_after")
    reconnect = ReconnectPolicy(fields: fields.group("reconnect"))
    maximumMessageBytes = Int(fields.integer("max_message_bytes"))
    decompress = MessageInflater.form(fields)
    tls.authoritiesFile = fields.optionalText("ca_file")
    tls.isVerified = !fields.boolean("insecure_skip_verify")
    tls.clientCertificate = fields.optionalText("client_certificate")
    tls.clientKey = fields.optionalText("client_key")
  }

  static func quality(_ fields: FieldReader) -> MQTTConfiguration.Quality {
    MQTTConfiguration.Quality(rawValue: Int32(fields.integer("qos"))) ?? .atMostOnce
  }

  /// What the machine of the source needs to know.
  package var machine: SourceMachine.Settings {
    SourceMachine.Settings(
      connectTimeout: connectTimeout, staleAfter: staleAfter,
      afterLoss: reconnect.isEnabled ? .reconnect(reconnect) : .stayIdle)
  }

  /// The configuration of a connection, with secrets taken from the environment.
  ///
  /// - Throws: `SecretError` for a variable that isn't set, `TransferFailure` for an address that can't be used.
  func connection() throws -> MQTTConfiguration {
    let url = try url.resolve()
    // The parser knows the default ports of HTTP only.
    let isSecure = url.lowercased().hasPrefix("mqtts:")
    let rest = url.drop { $0 != ":" }
    let origin = try Origin("\(isSecure ? "https" : "http")\(rest)")
    let port = origin.namesPort ? origin.port : (isSecure ? 8_883 : 1_883)
    var made = MQTTConfiguration(
      host: String(origin.host.drop { $0 == "[" }.prefix { $0 != "]" }), port: UInt16(clamping: port),
      isSecure: isSecure)
    made.tls = tls
    made.clientID = clientID
    made.isClean = !isDurable
    made.keepaliveSeconds = UInt16(clamping: keepalive.count / 1_000)
    made.user = try user?.resolve()
    made.password = try password?.resolve()
    made.subscriptions = topics.map { MQTTConfiguration.Subscription($0, quality) }
    made.maximumMessageBytes = maximumMessageBytes
    made.maximumQueuedBytes = max(8 << 20, maximumMessageBytes)
    if let will { made.will = will.publication(Array((try will.payload?.text() ?? "").utf8)) }
    return made
  }
}

extension MQTTSettings.Message {
  /// The message to send with a payload.
  func publication(_ payload: [UInt8]) -> MQTTConfiguration.Publication {
    MQTTConfiguration.Publication(topic: topic, payload: payload, quality: quality, isRetained: isRetained)
  }
}
