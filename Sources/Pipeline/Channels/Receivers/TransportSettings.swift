internal import HTTP
package import Scripting

/// The options of every channel over the network about one attempt: how long it may take, and whom it trusts.
package struct TransportSettings: Sendable, Hashable {
  /// From the start of an attempt to the complete answer.
  package var timeout: Milliseconds
  /// How the receiver proves who it is.
  var tls = TLSOptions()

  /// The options.
  ///
  /// - Parameter timeout: the default of the first, such as `10s`.
  package static func fields(timeout: Value = "10s") -> [FieldSpec] {
    [
      FieldSpec(
        "timeout", .duration(Milliseconds(1)...Milliseconds.minutes(10)), default: timeout,
        help: "The time that an attempt may take, connecting included"),
      FieldSpec(
        "ca_file", .file(mustExist: true),
        help: "Certificates to trust in place of the system's, in PEM form", example: "ca.pem"),
      FieldSpec(
        "insecure_skip_verify", .boolean, default: false,
        help: "Accepts any certificate, and with it any receiver; only for tests"),
    ]
  }

  /// Takes the settings from checked options.
  package init(fields: FieldReader) {
    timeout = fields.duration("timeout")
    tls.authoritiesFile = fields.optionalText("ca_file")
    tls.isVerified = !fields.boolean("insecure_skip_verify")
  }
}
