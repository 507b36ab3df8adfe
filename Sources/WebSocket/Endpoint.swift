import CCurl

/// Where a WebSocket URL leads (RFC 6455 section 3).
package struct Endpoint: Equatable, Sendable {
  /// True for wss.
  package var isSecure: Bool
  /// The host as connected to: a name in ASCII form, an IPv4 address, or an IPv6 address in brackets.
  package var host: String
  package var port: Int
  /// Path and query as the request line carries them.
  package var target: String
  /// User and password of the URL, decoded; they become an `Authorization` header.
  package var credentials: Credentials?

  /// A user name and a password, never shown.
  package struct Credentials: Equatable, Sendable {
    package var user: String
    package var password: String
  }

  /// Reads a ws or wss URL.
  /// - Throws: a failure of kind `configuration(option: "url")` that shows neither query nor credentials.
  package init(_ text: String) throws(ConnectionFailure) {
    guard let secure = Self.scheme(of: text).flatMap({ ["ws": false, "wss": true][$0] }) else {
      throw Self.refusal("expected a ws:// or wss:// URL, got \(Self.shown(text))")
    }
    guard !text.contains("#") else {
      throw Self.refusal(
        "expected a URL without a fragment, got \(Self.shown(text)) (write a # of a query as %23)")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw Self.refusal("expected a URL without spaces and control characters, got \(Self.shown(text))")
    }
    // libcurl's URL functions know http and https and their ports, which are those of ws and wss.
    let rest = text.drop { $0 != ":" }
    guard rest.hasPrefix("://"), let parts = Self(curlURL: (secure ? "https" : "http") + rest) else {
      throw Self.refusal("expected a ws:// or wss:// URL with a host, got \(Self.shown(text))")
    }
    self = parts
  }

  /// The endpoint that a `Location` header names, seen from this one; nil when it is no http, https, ws or wss
  /// URL. Its fragment is dropped (RFC 9110 section 10.2.2).
  package func resolving(location: String) -> Endpoint? {
    var location = location.prefix { $0 != "#" }
    if let scheme = Self.scheme(of: location), let colon = location.firstIndex(of: ":") {
      let mapped = ["ws": "http", "wss": "https", "http": "http", "https": "https"][scheme]
      guard let mapped else { return nil }
      location = mapped + location[colon...]
    }
    return Self(curlURL: httpURL + target, relative: String(location))
  }

  /// The URL that libcurl connects to: scheme, host and port.
  package var httpURL: String { (isSecure ? "https://" : "http://") + host + ":\(port)" }

  /// The URL without credentials and query, for texts.
  package var description: String {
    (isSecure ? "wss://" : "ws://") + authority + target.prefix { $0 != "?" }
  }

  /// Host and port, the port left out where the scheme implies it.
  package var authority: String { port == (isSecure ? 443 : 80) ? host : host + ":\(port)" }

  /// Tells whether two endpoints are of one origin: scheme, host and port (RFC 6454).
  package func hasOrigin(of other: Endpoint) -> Bool {
    isSecure == other.isSecure && host.equalsIgnoringASCIICase(other.host) && port == other.port
  }

  private init?(curlURL: String, relative: String? = nil) {
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    guard curl_url_set(url, CURLUPART_URL, curlURL, UInt32(CURLU_URLENCODE)) == CURLUE_OK else { return nil }
    if let relative {
      guard curl_url_set(url, CURLUPART_URL, relative, UInt32(CURLU_URLENCODE)) == CURLUE_OK else {
        return nil
      }
    }
    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(url, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
      defer { curl_free(text) }
      return String(cString: text)
    }
    guard let scheme = part(CURLUPART_SCHEME), scheme == "http" || scheme == "https",
      let host = part(CURLUPART_HOST, CURLU_PUNYCODE), !host.isEmpty,
      let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap(Int.init), (1...65535).contains(port)
    else { return nil }
    isSecure = scheme == "https"
    self.host = host
    self.port = port
    target = (part(CURLUPART_PATH) ?? "/") + (part(CURLUPART_QUERY).map { "?" + $0 } ?? "")
    if let user = part(CURLUPART_USER, CURLU_URLDECODE) {
      credentials = Credentials(user: user, password: part(CURLUPART_PASSWORD, CURLU_URLDECODE) ?? "")
    }
  }

  /// The scheme of a URL in lower case; nil for a relative one.
  private static func scheme(of text: some StringProtocol) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon]
    guard let first = scheme.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "z")).contains(first),
      scheme.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      })
    else { return nil }
    return scheme.lowercased()
  }

  private static func refusal(_ text: String) -> ConnectionFailure {
    ConnectionFailure(.configuration(option: "url"), "invalid 'url': " + text)
  }

  /// A wrong URL as texts may show it: without credentials, query and fragment, and not too long.
  static func shown(_ text: String) -> String {
    guard !text.isEmpty else { return "an empty text" }
    var shown = String(text.prefix { $0 != "?" && $0 != "#" })
    if let at = shown.lastIndex(of: "@") {
      let colon = shown.firstIndex(of: ":") ?? shown.startIndex
      let hasScheme = colon < at && shown[colon...].hasPrefix("://")
      shown = (hasScheme ? shown[..<colon] + "://" : "") + shown[shown.index(after: at)...]
    }
    let printable = shown.unicodeScalars.map {
      $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : Character($0)
    }
    return printable.count > 100 ? "\"\(String(printable.prefix(100)))…\"" : "\"\(String(printable))\""
  }
}
