/// The settings of `source.websocket`.
package struct WebSocketSettings: ComponentSettings {
  /// The address; it may hold `{position}`, see `address(resumingAt:)`.
  package var url: Secret
  /// Headers of the opening request, in addition to those of the handshake.
  package var headers: [String: Secret]
  /// What makes these headers anew for each connection; nil where they are given.
  package var headersFunction: FunctionReference?
  /// Subprotocols to offer, the preferred one first.
  package var subprotocols: [String]
  /// What is said to the server beside the messages of scripts.
  package var session: SessionSettings
  /// The time between two pings; nil for none.
  package var ping: Milliseconds?
  /// The time after a ping before the connection is given up, if neither its pong nor anything else comes.
  package var pingTimeout: Milliseconds
  /// The time that DNS, TCP, TLS and the handshake may take together.
  package var connectTimeout: Milliseconds
  /// The silence after which a connection is given up; nil for any.
  package var staleAfter: Milliseconds?
  /// When silence is no fault.
  package var quietHours: QuietHours
  /// How a connection is opened again.
  package var reconnect: ReconnectPolicy
  /// The most bytes of one message, after all fragments are joined.
  package var maximumMessageBytes: Int
  /// Whether the server may compress messages, and ours may be compressed.
  package var offersCompression: Bool
  /// How the server compresses binary messages one by one; nil where it doesn't.
  var decompress: MessageInflater.Form?
  /// The path of a file of certificates to trust in place of the system's.
  package var certificateAuthorityFile: String?
  /// Whether any certificate is accepted; for tests with a server of one's own.
  package var skipsVerification: Bool
  /// The path of the certificate that the client shows.
  package var clientCertificate: String?
  /// The path of its key.
  package var clientKey: String?
  /// The proxy to go through.
  package var proxy: Secret?
  /// The names on the way to the message field that is the resume position; nil for a feed without one.
  package var position: [String]?
  /// The position used before there is one.
  package var firstPosition: String

  /// Takes the settings from checked options.
  package init(fields: FieldReader) {
    url = fields.secret("url")
    headers = fields.headers("headers")
    headersFunction = fields.headersFunction("headers")
    subprotocols = fields.texts("subprotocols")
    session = SessionSettings(fields: fields)
    let ping = fields.duration("ping")
    self.ping = ping > .zero ? ping : nil
    pingTimeout = fields.duration("ping_timeout")
    connectTimeout = fields.duration("connect_timeout")
    staleAfter = fields.optionalDuration("stale_after")
    quietHours = QuietHours(fields: fields)
    reconnect = ReconnectPolicy(fields: fields.group("reconnect"))
    maximumMessageBytes = Int(fields.integer("max_message_bytes"))
    offersCompression = fields.boolean("compression")
    decompress = MessageInflater.form(fields)
    certificateAuthorityFile = fields.optionalText("ca_file")
    skipsVerification = fields.boolean("insecure_skip_verify")
    clientCertificate = fields.optionalText("client_certificate")
    clientKey = fields.optionalText("client_key")
    proxy = fields.optionalSecret("proxy")
    position = fields.optionalText("position").map { $0.split(separator: ".").map(String.init) }
    firstPosition = fields.text("first_position")
  }

  /// The address to connect to, with `{position}` replaced by the position to resume at.
  ///
  /// The position comes from messages of the feed, so everything in it but letters, digits and `-._~` is
  /// percent-encoded (RFC 3986, section 2.3) and can't change the rest of the address.
  ///
  /// - Throws: `SecretError` if the address comes from a variable that isn't set or is no URL.
  package func address(
    resumingAt position: String?, _ environment: (String) -> String? = ProcessEnvironment.value(of:)
  ) throws(SecretError) -> String {
    let url = try url.resolve(environment)
    guard let placeholder = Self.placeholder(in: url) else { return url }
    let encoded = Self.percentEncoded(position ?? firstPosition)
    return url[..<placeholder.lowerBound] + encoded + url[placeholder.upperBound...]
  }

  /// What the machine of the source needs to know.
  package var machine: SourceMachine.Settings {
    SourceMachine.Settings(
      connectTimeout: connectTimeout, staleAfter: staleAfter, quietHours: quietHours,
      afterLoss: reconnect.isEnabled ? .reconnect(reconnect) : .stayIdle)
  }

  /// The first `{position}` of a text; nil if there is none.
  static func placeholder(in text: String) -> Range<String.Index>? {
    let placeholder = "{position}"
    var start = text.startIndex
    while let brace = text[start...].firstIndex(of: "{") {
      if text[brace...].hasPrefix(placeholder) {
        return brace..<text.index(brace, offsetBy: placeholder.count)
      }
      start = text.index(after: brace)
    }
    return nil
  }

  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "%"
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return result
  }
}
