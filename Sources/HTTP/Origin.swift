internal import CCurl

/// Scheme, host and port of a URL: all of it that may be shown.
package struct Origin: Sendable, Hashable, CustomStringConvertible {
  package let scheme: String
  package let host: String
  package let port: Int
  /// Whether the URL itself names the port.
  package let namesPort: Bool
  private let isDefaultPort: Bool

  /// Reads the origin of an absolute URL.
  ///
  /// - Throws: ``TransferFailure`` of kind `invalid`, which doesn't repeat the URL.
  package init(_ url: String) throws(TransferFailure) {
    let parts = curl_url()
    defer { curl_url_cleanup(parts) }
    func part(_ which: CURLUPart, _ flags: UInt32 = 0) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(parts, which, &text, flags) == CURLUE_OK, let text else { return nil }
      defer { curl_free(text) }
      return String(cString: text)
    }
    guard let parts, !url.utf8.contains(0),
      curl_url_set(parts, CURLUPART_URL, url, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
      let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST), !host.isEmpty,
      let port = part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap(Int.init)
    else {
      throw TransferFailure(.invalid, "the URL can't be used: expected a scheme, a host and a path")
    }
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    self.port = port
    namesPort = part(CURLUPART_PORT) != nil
    isDefaultPort = part(CURLUPART_PORT, UInt32(CURLU_NO_DEFAULT_PORT)) == nil
  }

  package var description: String { isDefaultPort ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)" }

  /// Whether both are the same; how the port was written doesn't matter.
  package static func == (a: Self, b: Self) -> Bool {
    a.scheme == b.scheme && a.host == b.host && a.port == b.port
  }

  /// Hashes what `==` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(scheme)
    hasher.combine(host)
    hasher.combine(port)
  }
}
