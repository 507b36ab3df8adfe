import HTTP
import Testing
@testable import WebSocket

@Suite struct HandshakeTests {
  private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
  private static let pieces = [Int.max, 1, 3]

  private func handshake(subprotocols: [String] = []) throws -> Handshake {
    Handshake(
      UpgradeRequest(
        endpoint: try Endpoint("ws://example.org/feed?token=hunter2"),
        headers: [HeaderField("X-Key", "hunter2")],
        subprotocols: subprotocols, nonce: Array("the sample nonce".utf8)))
  }

  private func answer(_ lines: String...) -> String { (lines + ["", ""]).joined(separator: "\r\n") }

  private func good(_ extra: String...) -> String {
    ([
      "HTTP/1.1 101 Switching Protocols", "Upgrade: WebSocket", "Connection: keep-alive, upgrade",
      "Sec-WebSocket-Accept: \(Self.accept)",
    ] + extra + ["", ""]).joined(separator: "\r\n")
  }

  /// Feeds an answer; the outcome and what was left over.
  private func receive(
    _ text: String, _ handshake: inout Handshake, pieces: Int = .max
  ) -> (Handshake.Outcome, rest: [UInt8]) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieces))
      rest = rest.dropFirst(piece.count)
      var left = 0
      let outcome = piece.withUnsafeBytes { bytes in
        var bytes = bytes
        defer { left = bytes.count }
        return handshake.receive(&bytes)
      }
      if case .needMore = outcome { continue }
      return (outcome, Array(piece.suffix(left)) + rest)
    }
    return (.needMore, [])
  }

  private func failure(_ text: String, subprotocols: [String] = []) throws -> ConnectionFailure {
    var handshake = try handshake(subprotocols: subprotocols)
    let (outcome, _) = receive(text, &handshake)
    switch outcome {
    case .failed(let failure): return failure
    case .needMore: return handshake.ended()
    default: throw ExpectedFailure()
    }
  }

  private struct ExpectedFailure: Error {}

  @Test("accepts a proper 101 and leaves the frames behind it", arguments: pieces)
  func accepts(pieces: Int) throws {
    var handshake = try handshake(subprotocols: ["v2", "v1"])
    let (outcome, rest) = receive(
      good("Sec-WebSocket-Protocol: v1", "X-Id:  7 ") + "frames", &handshake, pieces: pieces)
    guard case .accepted(let accepted) = outcome else {
      Issue.record("expected an acceptance, got \(outcome)")
      return
    }
    #expect(accepted.subprotocol == "v1")
    #expect(accepted.headers.value(of: "x-id") == "7")
    #expect(rest == Array("frames".utf8))
  }

  @Test("passes over interim answers")
  func interim() throws {
    var handshake = try handshake()
    let (outcome, rest) = receive(answer("HTTP/1.1 103 Early Hints", "Link: </x>") + good(), &handshake)
    guard case .accepted = outcome else {
      Issue.record("expected an acceptance, got \(outcome)")
      return
    }
    #expect(rest.isEmpty)
  }

  @Test("refuses a 101 with anything amiss")
  func refuses() throws {
    let accept = "Sec-WebSocket-Accept: \(Self.accept)"
    let answers = [
      answer("HTTP/1.1 101 X", "Connection: Upgrade", accept),
      answer("HTTP/1.1 101 X", "Upgrade: h2c", "Connection: Upgrade", accept),
      answer("HTTP/1.1 101 X", "Upgrade: websocket", accept),
      answer("HTTP/1.1 101 X", "Upgrade: websocket", "Connection: close", accept),
      answer("HTTP/1.1 101 X", "Upgrade: websocket", "Connection: Upgrade"),
      answer("HTTP/1.1 101 X", "Upgrade: websocket", "Connection: Upgrade", accept, accept),
      answer("HTTP/1.1 101 X", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: AAAA"),
      good("Sec-WebSocket-Extensions: permessage-deflate"), good("Sec-WebSocket-Protocol: v9"),
      good(" folded: line"), good("no colon"), "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/2 101\r\n\r\n", "\r\n\r\n",
      "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 101 X\r\nX: " + String(repeating: "a", count: 70_000),
    ]
    for text in answers {
      let failure = try failure(text, subprotocols: ["v1"])
      #expect(failure.kind == .handshake, "\(text.prefix(60))")
      #expect(failure.description.hasPrefix("expected ws://example.org/feed to switch to WebSocket, got "))
    }
    #expect(try failure(good("Sec-WebSocket-Protocol: v1")).kind == .handshake)
  }

  @Test("tells status, Retry-After and the first bytes of a refusal", arguments: pieces)
  func refusal(pieces: Int) throws {
    var handshake = try handshake()
    let text = answer("HTTP/1.1 429 Too Many Requests", "Retry-After: 30", "Content-Length: 9") + "slow down"
    let (outcome, _) = receive(text, &handshake, pieces: pieces)
    guard case .failed(let failure) = outcome else {
      Issue.record("expected a failure, got \(outcome)")
      return
    }
    #expect(failure.kind == .httpStatus(429))
    #expect(failure.retryAfter == .seconds(30))
    #expect(failure.bodyExcerpt == Array("slow down".utf8))
    #expect(
      failure.description
        == "ws://example.org/feed answered 429 Too Many Requests instead of 101 Switching Protocols; it asks to wait 30 s"
    )
  }

  @Test("waits for the body of a refusal only as far as announced or 1 KiB")
  func bodies() throws {
    var open = try handshake()
    let (first, _) = receive(answer("HTTP/1.1 500 No") + "part", &open)
    guard case .needMore = first else {
      Issue.record("expected to wait for more, got \(first)")
      return
    }
    #expect(open.isReadingRefusal)
    #expect(open.ended().bodyExcerpt == Array("part".utf8))
    let long = try failure(answer("HTTP/1.1 500 No") + String(repeating: "x", count: 5000))
    #expect(long.bodyExcerpt.count == Refusal.maximumExcerpt)
    #expect(try failure(answer("HTTP/1.1 500 No", "Content-Length: -4")).bodyExcerpt.isEmpty)
  }

  @Test("takes a chunked body apart and ends with its last chunk", arguments: pieces)
  func chunked(pieces: Int) throws {
    var handshake = try handshake()
    let text =
      answer("HTTP/1.1 403 No", "Transfer-Encoding: chunked")
      + "5;x=y\r\nplain\r\nA\r\n 0123\r\n\r\n.\r\n0\r\n\r\n"
    let (outcome, _) = receive(text, &handshake, pieces: pieces)
    guard case .failed(let failure) = outcome else {
      Issue.record("expected a failure, got \(outcome)")
      return
    }
    #expect(String(decoding: failure.bodyExcerpt, as: UTF8.self) == "plain 0123\r\n\r\n.")
    for damaged in ["", "zz\r\nx", "FFFFFFFFFFFFFFFFFFFF\r\nx", "-1\r\nx", "5"] {
      #expect(
        try self.failure(answer("HTTP/1.1 403 No", "Transfer-Encoding: chunked") + damaged).bodyExcerpt == [])
    }
  }

  @Test("never repeats secrets that a server sends back")
  func secrets() throws {
    let failure = try failure(answer("HTTP/1.1 401 bad key hunter2", "Content-Length: 0"))
    #expect(!failure.description.contains("hunter2"))
    #expect(failure.description.contains("answered 401 instead"))
  }

  @Test("reports redirects with their location, and those without as failures")
  func redirects() throws {
    for status in [301, 302, 303, 307, 308] {
      var handshake = try handshake()
      let (outcome, _) = receive(answer("HTTP/1.1 \(status) Moved", "location: /b"), &handshake)
      guard case .redirected("/b") = outcome else {
        Issue.record("expected a redirect, got \(outcome)")
        continue
      }
    }
    #expect(try failure(answer("HTTP/1.1 302 Found")).kind == .redirect)
    #expect(try failure(answer("HTTP/1.1 304 Not Modified", "Content-Length: 0")).kind == .httpStatus(304))
  }

  @Test("says where a connection ended before the answer did")
  func ended() throws {
    #expect(
      try failure("").description
        == "ws://example.org/feed closed the connection without answering the upgrade")
    #expect(try failure("HTTP/1.1 1").description.hasSuffix("in the middle of its answer to the upgrade"))
  }
}
