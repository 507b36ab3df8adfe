/// How to reach one WebSocket server and how long to wait for it.
///
/// - `url`: ws:// or wss://; a user and password in it become an `Authorization` header.
/// - `headers`: fields added to the upgrade request.
/// - `subprotocols`: offered, the preferred one first.
/// - `connectTimeout` (10 s): one deadline over DNS, TCP, proxy, TLS, redirects and the upgrade.
/// - `pingInterval` (20 s; nil for none): from the opening or the last ping to the next one.
/// - `pingTimeout` (10 s; nil for none): from a ping to its pong.
/// - `closeTimeout` (5 s): from our close frame to the server's end of the connection.
/// - `maximumMessageBytes` (16 MiB): over all fragments of a message.
/// - `maximumPendingBytes` (4 MiB): the most that may wait to be sent.
/// - `compression`: what is asked of permessage-deflate; nil to do without.
/// - `tls`: verification and certificates.
/// - `proxy`: from the environment, none, or a URL.
package struct Configuration: Equatable, Sendable {
  /// What secures a wss connection.
  package struct TLS: Equatable, Sendable {
    /// Whether the certificate's chain and host name are checked. Off only for tests.
    package var isVerified = true
    /// A PEM file of authorities to trust instead of the system's.
    package var caFile: String?
    /// A PEM file with the client's certificate.
    package var clientCertificate: String?
    /// A PEM file with the client's key; may be the certificate's file.
    package var clientKey: String?

    /// Verification against the system's authorities.
    package init() {}
  }

  /// The way out.
  package enum Proxy: Equatable, Sendable {
    /// `http_proxy` for ws, `https_proxy` for wss, `all_proxy`, less the hosts in `no_proxy`.
    case environment
    /// A direct connection whatever the environment says.
    case none
    /// An http, https, socks4, socks4a, socks5 or socks5h URL; may hold a user and a password.
    case url(String)
  }

  package var url: String
  package var headers: [HeaderField] = []
  package var subprotocols: [String] = []
  package var connectTimeout: Duration = .seconds(10)
  package var pingInterval: Duration? = .seconds(20)
  package var pingTimeout: Duration? = .seconds(10)
  package var closeTimeout: Duration = .seconds(5)
  package var maximumMessageBytes = 16 * 1024 * 1024
  package var maximumPendingBytes = 4 * 1024 * 1024
  package var compression: Compression? = Compression()
  package var tls = TLS()
  package var proxy = Proxy.environment

  /// Makes a configuration with defaults for everything but the URL.
  package init(url: String) { self.url = url }

  /// Checks everything that can be checked without a connection and answers where the URL leads.
  /// - Throws: a failure of kind `configuration`, naming the option.
  @discardableResult
  package func check() throws(ConnectionFailure) -> Endpoint {
    let endpoint = try Endpoint(url)
    try UpgradeRequest.check(headers: headers, subprotocols: subprotocols)
    let spans: [(String, Duration?)] = [
      ("connect_timeout", connectTimeout), ("ping", pingInterval), ("ping_timeout", pingTimeout),
      ("close_timeout", closeTimeout),
    ]
    for case (let option, let span?) in spans {
      guard span > .zero, span < .seconds(365 * 86_400) else {
        throw invalid(option, "expected a duration above zero and below a year, got \(span)")
      }
    }
    for (option, size) in [
      ("max_message_bytes", maximumMessageBytes), ("max_pending_bytes", maximumPendingBytes),
    ] {
      guard size > 0 else { throw invalid(option, "expected a size above zero, got \(size)") }
    }
    for bits in [compression?.serverWindowBits, compression?.clientWindowBits] {
      guard bits.map(Compression.windowBits.contains) ?? true else {
        throw invalid("compression", "expected a window of 8 to 15 bits, got \(bits ?? 0)")
      }
    }
    if tls.clientKey != nil, tls.clientCertificate == nil {
      throw invalid("client_key", "expected a client certificate beside it, got none")
    }
    if case .url(let proxy) = proxy {
      let scheme = proxy.prefix { $0 != ":" }.lowercased()
      guard Self.proxySchemes.contains(scheme), proxy.dropFirst(scheme.count).hasPrefix("://") else {
        throw invalid(
          "proxy",
          "expected a URL with one of \(Self.proxySchemes.joined(separator: ", ")), got \(Endpoint.shown(proxy))"
        )
      }
    }
    return endpoint
  }

  private static let proxySchemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  private func invalid(_ option: String, _ text: String) -> ConnectionFailure {
    ConnectionFailure(.configuration(option: option), "invalid '\(option)': \(text)")
  }
}

extension Duration {
  /// Whole nanoseconds, clamped to what 64 bits hold.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0 else { return 0 }
    let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow
      ? .max : product.addingReportingOverflow(UInt64(max(attoseconds, 0)) / 1_000_000_000).partialValue
  }
}
