internal import HTTP
package import Scripting

/// The options that every channel over HTTP has, and the way to its receiver made from them.
package struct ReceiverSettings: Sendable, Hashable {
  /// Where requests go, a secret as far as it holds one.
  package var url: Secret
  /// How deliveries are repeated, and what becomes of those that fail.
  package var policy = DeliveryPolicy()
  package var transport: TransportSettings

  /// The options but for the URL, with the pace that the receiver is known to bear.
  package static func fields(pace: Value? = nil) -> [FieldSpec] {
    TransportSettings.fields() + DeliveryPolicy.fields(pace: pace)
  }

  /// The option for the URL of a service that gives each receiver an address of its own.
  static func urlField(_ help: String, example: Value) -> FieldSpec {
    FieldSpec("url", .url(schemes: ["http", "https"]), required: true, help: help, example: example)
  }

  /// Takes the settings from checked options.
  ///
  /// - Parameter takesAlerts: whether there are the options of deliveries.
  package init(fields: FieldReader, takesAlerts: Bool = true) {
    url = fields.secret("url")
    transport = TransportSettings(fields: fields)
    if takesAlerts { policy = DeliveryPolicy(fields: fields, timeout: transport.timeout) }
  }

  /// The URL, without slashes at its end where a path is to follow.
  func address(forChannel name: String, path: String = "") throws(ChannelError) -> String {
    var address = try url.text(forChannel: name)
    while !path.isEmpty, address.hasSuffix("/") { address.removeLast() }
    return address + path
  }

  /// Makes the way to the receiver.
  ///
  /// - Parameter secrets: what no reason may show, although the receiver may repeat it.
  func receiver(_ context: ChannelContext, hiding secrets: [String]) -> HTTPReceiver {
    var options = HTTPTransport.Options()
    options.tls = transport.tls
    // Enough for a reason; that an answer came is what counts.
    options.maximumResponseBytes = 8 << 10
    options.cutsLongBodies = true
    return HTTPReceiver(
      client: HTTPTransport(context.transfers, options: options).client,
      timeout: .milliseconds(transport.timeout.count), now: context.now, secrets: secrets)
  }
}

/// The settings of a channel that makes a request to a receiver of each alert.
package protocol ReceiverChannelSettings: ChannelSettings {
  var receiver: ReceiverSettings { get }
}

extension ReceiverChannelSettings {
  package var policy: DeliveryPolicy { receiver.policy }
}
