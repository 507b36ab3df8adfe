internal import HTTP
internal import Scripting

/// The options that every channel over HTTP has, and the transport made from them.
package struct ReceiverSettings: Sendable, Hashable {
  /// From the start of an attempt to the complete answer.
  package var timeout: Milliseconds
  private var tls: TLSOptions

  /// The options.
  package static let fields: [FieldSpec] = [
    FieldSpec(
      "timeout", .duration(Milliseconds(1)...Milliseconds.minutes(10)), default: "10s",
      help: "The time that an attempt may take, connecting included"),
    FieldSpec(
      "ca_file", .file(mustExist: true), help: "Certificates to trust in place of the system's, in PEM form",
      example: "ca.pem"),
    FieldSpec(
      "insecure_skip_verify", .boolean, default: false,
      help: "Accepts any certificate, and with it any receiver; only for tests"),
  ]

  /// Takes the settings from checked options.
  package init(fields: FieldReader) {
    timeout = fields.duration("timeout")
    tls = TLSOptions()
    tls.authoritiesFile = fields.optionalText("ca_file")
    tls.isVerified = !fields.boolean("insecure_skip_verify")
  }

  /// Makes the way to the receiver.
  func receiver(_ context: ChannelContext) -> HTTPReceiver {
    var options = HTTPTransport.Options()
    options.tls = tls
    // Enough for a reason; that an answer came is what counts.
    options.maximumResponseBytes = 8 << 10
    options.cutsLongBodies = true
    return HTTPReceiver(
      client: HTTPTransport(context.transfers, options: options).client,
      timeout: .milliseconds(timeout.count), now: context.now)
  }
}
