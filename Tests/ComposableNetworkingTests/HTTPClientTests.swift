import Composable
import ComposableNetworking
import ComposableTesting
import Testing

@Suite("3.6 The HTTP client")
struct HTTPClientTests {
  private let client = HTTPClient.curl(maximumBytes: 100_000)

  /// Answers each request with what a function makes of its head and its body.
  private func serve(_ respond: @escaping @Sendable (String, [UInt8]) -> String) -> LoopbackServer {
    LoopbackServer { peer in
      while let head = peer.readHead() {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        let length = line.flatMap { Int($0.drop { $0 != " " }.dropFirst()) } ?? 0
        guard let body = peer.read(length) else { return }
        peer.write(respond(head, body))
      }
    }
  }

  private func answer(_ body: String, _ fields: String = "", status: String = "200 OK") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
  }

  @Test("A response has its status, its fields in order and its body, whatever the status")
  func get() async throws {
    let server = serve { _, _ in answer("gone", "X-One:  1 \r\nX-Two: 2\r\n", status: "410 Gone") }
    let response = try await client.send(.init("http://127.0.0.1:\(server.port)/a?b=c"))
    #expect(response.status == 410)
    #expect(response.body == Array("gone".utf8))
    #expect(response.headers.map(\.name) == ["Content-Length", "X-One", "X-Two"])
    #expect(response.header("x-one") == "1")
  }

  @Test("A request arrives as it was made, without fields that nobody asked for")
  func post() async throws {
    let server = serve { head, body in answer(head + String(decoding: body, as: UTF8.self)) }
    let response = try await client.send(
      .init(
        "http://127.0.0.1:\(server.port)/a?b=c", method: "PUT",
        headers: [.init("X-Key", "value"), .init("X-Empty", "")], body: Array("the body".utf8)))
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.hasPrefix("PUT /a?b=c HTTP/1.1\r\n"))
    #expect(text.contains("\r\nX-Key: value\r\n"))
    #expect(text.contains("\r\nX-Empty:\r\n"))
    #expect(text.hasSuffix("\r\n\r\nthe body"))
    #expect(!text.contains("Expect:") && !text.contains("x-www-form-urlencoded"))
  }

  @Test("A redirect is followed, and only the last head counts")
  func redirect() async throws {
    let server = serve { head, _ in
      head.hasPrefix("GET /old")
        ? answer("", "Location: /new\r\nX-Old: 1\r\n", status: "302 Found") : answer("new")
    }
    let response = try await client.send(.init("http://127.0.0.1:\(server.port)/old"))
    #expect(response.status == 200)
    #expect(response.headers.map(\.name) == ["Content-Length"])
  }

  @Test("Many requests at once all get their own response")
  func concurrent() async throws {
    let server = serve { head, _ in answer("\(head.prefix { !$0.isNewline })") }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<50 {
        group.addTask { [client] in
          let response = try await client.send(.init("http://127.0.0.1:\(server.port)/\(number)"))
          return response.body == Array("GET /\(number) HTTP/1.1".utf8)
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  private func expect(
    _ kind: HTTPError.Kind, _ text: String, _ request: HTTPClient.Request,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(sourceLocation: sourceLocation) {
      try await client.send(request)
    } throws: { error in
      #expect("\(error)" == text, sourceLocation: sourceLocation)
      return (error as? HTTPError)?.kind == kind
    }
  }

  private func expect(
    _ kind: HTTPError.Kind, _ request: HTTPClient.Request, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(sourceLocation: sourceLocation) {
      try await client.send(request)
    } throws: { error in
      (error as? HTTPError)?.kind == kind && !"\(error)".contains("secret")
    }
  }

  @Test("Failures are told apart, without what may be secret")
  func failures() async {
    await expect(.invalidRequest, .init("file:///secret"))
    await expect(.invalidRequest, .init("http://127.0.0.1/", headers: [.init("X", "secret\r\nY: 2")]))
    // Nobody listens on the loopback's port 1.
    await expect(.unreachable, .init("http://127.0.0.1:1/?secret"))
    let long = serve { _, _ in answer(String(repeating: "x", count: 100_001)) }
    await expect(.tooLong, .init("http://127.0.0.1:\(long.port)/secret"))
    let broken = LoopbackServer { peer in _ = peer.readHead() }
    await expect(.broken, .init("http://127.0.0.1:\(broken.port)/secret"))
    let silent = LoopbackServer { $0.waitForEnd() }
    await expect(.timeout, .init("http://127.0.0.1:\(silent.port)/secret", timeout: .milliseconds(20)))
  }

  @Test("Cancelling the task ends the request, and the server sees the connection end")
  func cancel() async {
    let (arrived, ended) = (Events<Void>(), Events<Void>())
    let server = LoopbackServer { peer in
      _ = peer.readHead()
      arrived.add(())
      peer.waitForEnd()
      ended.add(())
    }
    let task = Task { [client] in
      try await client.send(.init("http://127.0.0.1:\(server.port)/", timeout: .seconds(1_000)))
    }
    await arrived.first()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await ended.first()
  }

  @Test("A task that is cancelled already makes no request")
  func cancelledBefore() async {
    let server = LoopbackServer { $0.waitForEnd() }
    let task = Task { [client] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.send(.init("http://127.0.0.1:\(server.port)/", timeout: .seconds(1_000)))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
