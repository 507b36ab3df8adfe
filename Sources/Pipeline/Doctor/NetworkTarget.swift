package import HTTP
import Scripting

/// Where a source connects to, for a look at the way there.
package struct NetworkTarget: Sendable {
  /// An `http` or `https` URL with the host and port.
  package var url: String
  package var origin: Origin
  /// The origin with the scheme that the settings name.
  package var shown: String
  package var tls: TLSOptions
  /// The proxy of the settings, nil for the one that the environment names.
  package var proxy: String?

  /// Makes the target of an address, whatever protocol its scheme names.
  ///
  /// - Parameters:
  ///   - secure: the scheme with TLS.
  ///   - ports: the ports where the address names none, without and with TLS.
  /// - Throws: ``TransferFailure`` for an address that can't be used.
  init(
    _ address: String, secure: String, ports: (plain: Int, secure: Int) = (80, 443), tls: TLSOptions,
    proxy: String?
  ) throws(TransferFailure) {
    let isSecure = address.lowercased().hasPrefix("\(secure):")
    let scheme = isSecure ? "https" : "http"
    let origin = try Origin(scheme + address.drop { $0 != ":" })
    let port = origin.namesPort ? origin.port : (isSecure ? ports.secure : ports.plain)
    url = "\(scheme)://\(origin.host):\(port)/"
    self.origin = try Origin(url)
    shown = address.prefix { $0 != ":" }.lowercased() + origin.description.drop { $0 != ":" }
    self.tls = tls
    self.proxy = proxy
  }

  /// Whether the connection is secured by TLS.
  var isSecure: Bool { origin.scheme == "https" }

  /// Whether the host is given by its address, so that there is no name to look up.
  var isAddress: Bool {
    origin.host.hasPrefix("[") || origin.host.utf8.allSatisfy { $0 == 0x2e || (0x30...0x39).contains($0) }
  }
}

extension WebSocketSettings {
  package func target() throws -> NetworkTarget? {
    var tls = TLSOptions()
    tls.isVerified = !skipsVerification
    tls.authoritiesFile = certificateAuthorityFile
    tls.clientCertificate = clientCertificate
    tls.clientKey = clientKey
    return try NetworkTarget(
      try address(resumingAt: nil), secure: "wss", tls: tls, proxy: try proxy?.resolve())
  }
}

extension HTTPSettings {
  package func target() throws -> NetworkTarget? { try request.target() }
}

extension EventStreamSettings {
  package func target() throws -> NetworkTarget? { try request.target() }
}

extension RequestSettings {
  fileprivate func target() throws -> NetworkTarget? {
    try NetworkTarget(try url.resolve(), secure: "https", tls: tls, proxy: try proxy?.resolve())
  }
}

extension MQTTSettings {
  package func target() throws -> NetworkTarget? {
    try NetworkTarget(try url.resolve(), secure: "mqtts", ports: (1_883, 8_883), tls: tls, proxy: nil)
  }
}
