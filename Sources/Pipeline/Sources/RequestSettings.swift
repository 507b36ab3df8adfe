package import HTTP
import Scripting

/// What sources that make HTTP requests have in common: where to, with which headers, and whom to trust.
package struct RequestSettings: Sendable {
  /// The address.
  package var url: Secret
  /// Headers of each request.
  package var headers: [String: Secret]
  /// The time that name, connection and TLS may take together.
  package var connectTimeout: Milliseconds
  /// The silence after which a connection is given up; nil for any.
  package var staleAfter: Milliseconds?
  /// How a connection is opened again.
  package var reconnect: ReconnectPolicy
  /// The most bytes of one message.
  package var maximumMessageBytes: Int
  /// How the server proves who it is, and how the client does.
  package var tls = TLSOptions()
  /// The proxy to go through.
  package var proxy: Secret?

  /// Takes the settings from checked options.
  package init(fields: FieldReader) {
    url = fields.secret("url")
    headers = fields.secretMap("headers")
    connectTimeout = fields.duration("connect_timeout")
    staleAfter = fields.optionalDuration("stale_after")
    reconnect = ReconnectPolicy(fields: fields.group("reconnect"))
    maximumMessageBytes = Int(fields.integer("max_message_bytes"))
    tls.authoritiesFile = fields.optionalText("ca_file")
    tls.isVerified = !fields.boolean("insecure_skip_verify")
    tls.clientCertificate = fields.optionalText("client_certificate")
    tls.clientKey = fields.optionalText("client_key")
    proxy = fields.optionalSecret("proxy")
  }

  /// The options of the transport, with secrets taken from the environment.
  ///
  /// - Throws: `SecretError` for a variable that isn't set.
  func transport() throws(SecretError) -> HTTPTransport.Options {
    var options = HTTPTransport.Options()
    options.tls = tls
    options.connectTimeout = .milliseconds(connectTimeout.count)
    options.maximumRequestBytes = maximumMessageBytes
    if let proxy { options.proxy = try proxy.resolve() }
    return options
  }

  /// The headers with secrets taken from the environment, in the order of their names.
  ///
  /// - Throws: `SecretError` for a variable that isn't set.
  func resolvedHeaders() throws(SecretError) -> [(name: String, value: String)] {
    var resolved: [(name: String, value: String)] = []
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      resolved.append((name, try value.resolve()))
    }
    return resolved
  }
}

extension RequestSettings {
  static let upToADay = Milliseconds(1)...Milliseconds.minutes(24 * 60)

  /// The option that says where to.
  static func url(_ help: String, example: Value) -> FieldSpec {
    FieldSpec("url", .url(schemes: ["http", "https"]), required: true, help: help, example: example)
  }

  /// The options of each source that makes requests, besides where to and what for.
  static func fields(of noun: String) -> [FieldSpec] {
    [
      FieldSpec(
        "connect_timeout", .duration(upToADay), default: "10s",
        help: "The time that name, connection and TLS may take together"),
      FieldSpec(
        "stale_after", .duration(upToADay),
        help: "The time without any message after which the source is stale and connects again",
        example: "60s"),
      FieldSpec(
        "reconnect", .group(ReconnectPolicy.fields), default: [:], help: "How a connection is opened again"),
      WebSocketSettings.maximumMessageBytes(of: noun),
    ] + security + [proxy]
  }

  /// The option of a proxy.
  static let proxy = FieldSpec(
    "proxy", .url(schemes: ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]),
    help:
      "The proxy to go through, in place of the one that the environment names (https_proxy and the like)",
    example: "http://proxy.example.org:3128")

  /// The options that say whom to trust.
  static let security: [FieldSpec] = [
    FieldSpec(
      "ca_file", .file(mustExist: true),
      help: "Certificates to trust in place of the system's, in PEM form",
      example: "ca.pem"),
    FieldSpec(
      "insecure_skip_verify", .boolean, default: false,
      help: "Accepts any certificate, and with it anybody's messages; only for tests"),
    FieldSpec(
      "client_certificate", .file(mustExist: true),
      help: "The certificate to show to the server, in PEM form",
      example: "client.pem"),
    FieldSpec(
      "client_key", .file(mustExist: true), help: "The key of that certificate", example: "client.key"),
  ]

  /// The option of headers.
  static let headers = FieldSpec(
    "headers", .map(of: .secretText), help: "Headers of each request, each a text or env \"NAME\"",
    example: ["Authorization": "Bearer …"])

  /// What doesn't fit together, or can't be sent.
  ///
  /// - Parameter reserved: the headers that the source itself sets, in lower case.
  static func faults(_ fields: FieldReader, reserved: Set<String>) -> [ComponentSpec.Fault] {
    headerFaults(fields.secretMap("headers")) { reserved.contains($0) } + reconnectFaults(fields)
      + certificateFaults(fields)
  }

  /// Headers that can't be sent.
  ///
  /// - Parameter isReserved: whether the source itself sets a header, in lower case.
  static func headerFaults(
    _ headers: [String: Secret], isReserved: (String) -> Bool
  ) -> [ComponentSpec.Fault] {
    var faults: [ComponentSpec.Fault] = []
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      let lower = name.lowercased()
      if !name.isHTTPToken || ["connection", "content-length", "host", "transfer-encoding"].contains(lower)
        || isReserved(lower)
      {
        faults.append(.init("headers", "the header \(LuaText.found(.text(name))) can't be set"))
      }
      if value.literal?.isHeaderValue == false {
        faults.append(.init("headers", "the header \(name) holds a control character"))
      }
    }
    return faults
  }

  static func reconnectFaults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    let reconnect = fields.group("reconnect")
    let (first, cap) = (reconnect.duration("first"), reconnect.duration("cap"))
    guard first > cap else { return [] }
    return [.init("reconnect.first", "expected at most the cap of \(cap), got \"\(first)\"")]
  }

  static func certificateFaults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    guard (fields.optionalText("client_certificate") == nil) != (fields.optionalText("client_key") == nil)
    else { return [] }
    return [.init("client_certificate", "expected both 'client_certificate' and 'client_key', got one")]
  }
}
