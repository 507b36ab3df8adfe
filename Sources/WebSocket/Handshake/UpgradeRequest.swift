import CCrypto
import HTTP

/// The request that asks a server to switch to WebSocket (RFC 6455 section 4.1).
package struct UpgradeRequest: Equatable, Sendable {
  /// The nonce: 16 random bytes in Base64.
  package var key: String
  /// Where the request goes.
  package var endpoint: Endpoint
  /// The caller's own fields, checked by `check`.
  package var headers: [HeaderField]
  /// The subprotocols offered, the preferred one first.
  package var subprotocols: [String]
  /// The compression offered; nil for none.
  package var compression: Compression?

  /// Makes a request; `nonce` must be 16 random bytes.
  package init(
    endpoint: Endpoint, headers: [HeaderField], subprotocols: [String], compression: Compression? = nil,
    nonce: [UInt8]
  ) {
    self.endpoint = endpoint
    self.headers = headers
    self.subprotocols = subprotocols
    self.compression = compression
    key = base64(nonce)
  }

  /// The `Sec-WebSocket-Accept` value that proves the server understood (RFC 6455 section 4.2.2).
  package var expectedAccept: String {
    let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    SHA1(text, text.count, &digest)
    return base64(digest)
  }

  /// The request as it travels.
  ///
  /// `Host`, `User-Agent` and `Authorization` come from the caller's fields where given.
  package var bytes: [UInt8] {
    var lines = ["GET \(endpoint.target) HTTP/1.1"]
    func add(_ name: String, _ value: String) { lines.append("\(name): \(value)") }
    if headers.value(of: "Host") == nil { add("Host", endpoint.authority) }
    add("Upgrade", "websocket")
    add("Connection", "Upgrade")
    add("Sec-WebSocket-Key", key)
    add("Sec-WebSocket-Version", "13")
    if !subprotocols.isEmpty { add("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")) }
    if let compression { add("Sec-WebSocket-Extensions", compression.offer) }
    if headers.value(of: "User-Agent") == nil { add("User-Agent", "pipeline") }
    if let credentials = endpoint.credentials, headers.value(of: "Authorization") == nil {
      add("Authorization", "Basic " + base64(Array("\(credentials.user):\(credentials.password)".utf8)))
    }
    for field in headers { add(field.name, field.value) }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Tells whether a text of the server repeats something secret of the request: a header's value, the query or
  /// the credentials.
  func isEchoed(in text: String) -> Bool {
    var secrets = headers.flatMap { $0.value.split(separator: " ") }
    secrets += endpoint.target.drop { $0 != "?" }.split { "?&=".contains($0) }
    if let credentials = endpoint.credentials {
      secrets += [credentials.user[...], credentials.password[...]]
    }
    return secrets.contains { $0.utf8.count >= 4 && text.contains($0) }
  }

  private static let reserved = [
    "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions",
    "Sec-WebSocket-Accept", "Sec-WebSocket-Protocol", "Content-Length", "Transfer-Encoding",
  ]

  /// Checks fields and subprotocols before they are used.
  /// - Throws: a failure of kind `configuration`; it names a field but never its value.
  package static func check(headers: [HeaderField], subprotocols: [String]) throws(ConnectionFailure) {
    for field in headers {
      guard field.name.isHTTPToken else {
        throw invalid(
          "headers", "expected header names of letters, digits and -, got \(Endpoint.shown(field.name))")
      }
      if reserved.contains(where: { field.isNamed($0) }) {
        let hint = field.isNamed("Sec-WebSocket-Protocol") ? "; use subprotocols" : "; leave it out"
        throw invalid("headers", "the header \(field.name) belongs to the WebSocket handshake\(hint)")
      }
      guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw invalid("headers", "the value of \(field.name) holds a line break or another control character")
      }
    }
    for (index, name) in subprotocols.enumerated() {
      guard name.isHTTPToken else {
        throw invalid("subprotocols", "expected names without spaces and commas, got \(Endpoint.shown(name))")
      }
      guard !subprotocols[..<index].contains(name) else {
        throw invalid("subprotocols", "\(name) is listed twice")
      }
    }
  }

  private static func invalid(_ option: String, _ text: String) -> ConnectionFailure {
    ConnectionFailure(.configuration(option: option), "invalid '\(option)': \(text)")
  }
}

private func base64(_ bytes: [UInt8]) -> String {
  // Four characters for three bytes, and a terminating zero.
  var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
  let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
  return String(decoding: text.prefix(Int(count)), as: UTF8.self)
}
