package import HTTP

/// How to reach one MQTT broker, and what to receive from it.
package struct MQTTConfiguration: Sendable {
  /// What a broker does with a message at most and at least.
  package enum Quality: Int32, Sendable, Hashable {
    case atMostOnce = 0
    case atLeastOnce = 1
    case exactlyOnce = 2
  }

  /// One filter of topics, which may hold the wildcards `+` and `#`.
  package struct Subscription: Sendable, Hashable {
    package var filter: String
    package var quality: Quality

    /// Makes a subscription.
    package init(_ filter: String, _ quality: Quality) {
      self.filter = filter
      self.quality = quality
    }
  }

  /// A message to a topic.
  package struct Publication: Sendable, Hashable {
    package var topic: String
    package var payload: [UInt8]
    package var quality: Quality
    /// Whether the broker keeps it for those who subscribe later.
    package var isRetained: Bool

    /// Makes a message.
    package init(topic: String, payload: [UInt8], quality: Quality, isRetained: Bool) {
      self.topic = topic
      self.payload = payload
      self.quality = quality
      self.isRetained = isRetained
    }
  }

  package var host: String
  package var port: UInt16
  package var isSecure: Bool
  package var tls = TLSOptions()
  /// The name that the broker knows the client by; nil for one made up by chance.
  package var clientID: String?
  /// Whether the broker forgets everything of the client when the connection ends.
  package var isClean = true
  /// The seconds of silence after which the connection is tried out, from 5.
  package var keepaliveSeconds: UInt16 = 60
  package var user: String?
  package var password: String?
  /// What the broker publishes when the connection is lost.
  package var will: Publication?
  package var subscriptions: [Subscription] = []
  /// The most bytes of one message.
  package var maximumMessageBytes = 4 << 20
  /// How many bytes of messages wait for the owner at most before no more are read.
  package var maximumQueuedBytes = 8 << 20

  /// Makes a configuration with defaults for everything but the address.
  package init(host: String, port: UInt16, isSecure: Bool) {
    self.host = host
    self.port = port
    self.isSecure = isSecure
  }

  /// The address as failures show it.
  package var address: String {
    let scheme = isSecure ? "mqtts" : "mqtt"
    let host = host.contains(":") ? "[\(host)]" : host
    return "\(scheme)://\(host):\(port)"
  }
}
