import HTTP

/// The client's side of the opening handshake: one request, then the answer judged as its bytes come
/// (RFC 6455 section 4).
package struct Handshake {
  /// What the answer amounts to.
  package enum Outcome {
    /// Nothing yet; the input is used up.
    case needMore
    /// The server speaks WebSocket now. What is left of the input are frames.
    case accepted(Accepted)
    /// The server points elsewhere.
    case redirected(location: String)
    /// The server refused, or what it sent is no valid answer.
    case failed(ConnectionFailure)
  }

  /// What the server agreed to.
  package struct Accepted: Equatable, Sendable {
    /// The subprotocol chosen among those offered; nil for none.
    package var subprotocol: String?
    /// What was agreed on compression; nil for none.
    package var compression: Compression.Agreement?
    /// All fields of the answer.
    package var headers: [HeaderField]
  }

  /// The request to send.
  package let request: UpgradeRequest
  private var parser = ResponseHeadParser()
  private var refusal: Refusal?

  /// Starts a handshake.
  package init(_ request: UpgradeRequest) { self.request = request }

  /// True when a refusal has come and only its body is awaited.
  package var isReadingRefusal: Bool { refusal != nil }

  /// Takes bytes of the answer and leaves what does not belong to it.
  package mutating func receive(_ bytes: inout UnsafeRawBufferPointer) -> Outcome {
    if refusal != nil { return receiveBody(&bytes) }
    switch parser.consume(&bytes) {
    case .needMore:
      return .needMore
    case .tooLarge:
      return invalid("more than \(ResponseHeadParser.maximumBytes) bytes of HTTP header")
    case .notHTTP:
      return invalid("something that is not HTTP/1.1")
    case .head(let head):
      switch head.status {
      case 101: return judge(head)
      case 301, 302, 303, 307, 308:
        if let location = head.headers.value(of: "Location") { return .redirected(location: location) }
        return .failed(
          ConnectionFailure(
            .redirect, "\(name) answered with the redirect \(head.status) but named no location"))
      default:
        refusal = Refusal(head)
        return receiveBody(&bytes)
      }
    }
  }

  /// The outcome when the connection ended before the answer did.
  package func ended() -> ConnectionFailure {
    if let refusal { return failure(refusal) }
    let found =
      parser.hasBegun ? "in the middle of its answer to the upgrade" : "without answering the upgrade"
    return ConnectionFailure(.handshake, "\(name) closed the connection \(found)\(certificateHint)")
  }

  /// A server that misses the client's certificate says so only after the TLS 1.3 handshake, or says nothing.
  var certificateHint: String {
    request.endpoint.isSecure && !parser.hasBegun ? " (one that wants a client certificate does so)" : ""
  }

  private var name: String { request.endpoint.description }

  private mutating func receiveBody(_ bytes: inout UnsafeRawBufferPointer) -> Outcome {
    refusal?.receive(&bytes)
    guard let refusal, refusal.isComplete else { return .needMore }
    return .failed(failure(refusal))
  }

  private func failure(_ refusal: Refusal) -> ConnectionFailure {
    let head = refusal.head
    let retryAfter = head.headers.value(of: "Retry-After").flatMap { RetryAfter($0) }
    var text = "\(name) answered \(head.status)"
    let reason = head.reason.prefix(80)
    let isPrintable = reason.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    if !reason.isEmpty, isPrintable, !request.isEchoed(in: head.reason) {
      text += " " + reason
    }
    text += " instead of 101 Switching Protocols"
    switch head.status {
    case 401, 403: text += "; check the headers and the token in the URL"
    case 404: text += "; check the path of the URL"
    case 426: text += "; it asks for another protocol or version"
    default: break
    }
    switch retryAfter {
    case .seconds(let seconds): text += "; it asks to wait \(seconds) s"
    case .time: text += "; it asks to wait until a given time"
    case nil: break
    }
    return ConnectionFailure(
      .httpStatus(head.status), text, retryAfter: retryAfter, bodyExcerpt: refusal.excerpt)
  }

  /// Checks a 101 (RFC 6455 section 4.1, the list after "the client MUST validate the server's response").
  private func judge(_ head: ResponseHead) -> Outcome {
    let headers = head.headers
    guard headers.values(of: "Upgrade").count == 1,
      headers.value(of: "Upgrade")?.equalsIgnoringASCIICase("websocket") == true
    else { return invalid("a 101 without the header Upgrade: websocket") }
    guard headers.members(of: "Connection").contains(where: { $0.equalsIgnoringASCIICase("upgrade") }) else {
      return invalid("a 101 without the header Connection: Upgrade")
    }
    guard headers.values(of: "Sec-WebSocket-Accept") == [request.expectedAccept] else {
      return invalid(
        "a 101 whose Sec-WebSocket-Accept does not match the key; a proxy or cache may have answered")
    }
    let compression: Compression.Agreement?
    do throws(Compression.Mismatch) {
      compression = try agreement(headers.values(of: "Sec-WebSocket-Extensions"))
    } catch {
      return invalid("a 101 with \(error.found)")
    }
    let chosen = headers.values(of: "Sec-WebSocket-Protocol")
    guard chosen.count <= 1, chosen.allSatisfy(request.subprotocols.contains) else {
      return invalid("a 101 with a subprotocol that was not offered")
    }
    return .accepted(Accepted(subprotocol: chosen.first, compression: compression, headers: headers))
  }

  /// What the answer's extensions agree to; nil for none.
  private func agreement(_ values: [String]) throws(Compression.Mismatch) -> Compression.Agreement? {
    guard let members = ExtensionHeader.members(of: values) else {
      throw Compression.Mismatch("a malformed Sec-WebSocket-Extensions")
    }
    guard let first = members.first else { return nil }
    guard let compression = request.compression else {
      throw Compression.Mismatch("an extension that was not offered")
    }
    guard members.count == 1 else {
      throw Compression.Mismatch("several extensions, of which one was offered")
    }
    return try compression.agreement(first)
  }

  private func invalid(_ found: String) -> Outcome {
    .failed(
      ConnectionFailure(.handshake, "expected \(name) to switch to WebSocket, got \(found)"))
  }
}
