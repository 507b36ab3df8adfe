import Testing
@testable import WebSocket

@Suite struct UpgradeRequestTests {
  private func request(
    _ url: String = "ws://server.example.com/chat", headers: [HeaderField] = [], subprotocols: [String] = []
  ) throws -> UpgradeRequest {
    UpgradeRequest(
      endpoint: try Endpoint(url), headers: headers, subprotocols: subprotocols,
      nonce: Array("the sample nonce".utf8))
  }

  @Test("computes key and accept as the example of RFC 6455 section 1.3 does")
  func example() throws {
    let request = try request()
    #expect(request.key == "dGhlIHNhbXBsZSBub25jZQ==")
    #expect(request.expectedAccept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test("writes the request line, the required fields and the caller's")
  func lines() throws {
    let request = try request(
      "ws://ann:b@example.org:8080/feed?a=1", headers: [HeaderField("X-Token", "t")],
      subprotocols: ["v2", "v1"])
    let lines = String(decoding: request.bytes, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    #expect(
      lines == [
        "GET /feed?a=1 HTTP/1.1", "Host: example.org:8080", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: v2, v1", "User-Agent: pipeline", "Authorization: Basic YW5uOmI=",
        "X-Token: t", "", "",
      ])
  }

  @Test("lets the caller's Host, User-Agent and Authorization replace its own")
  func replaces() throws {
    let own = [HeaderField("host", "h"), HeaderField("user-agent", "u"), HeaderField("authorization", "a")]
    let text = String(decoding: try request("ws://ann:b@example.org/", headers: own).bytes, as: UTF8.self)
    #expect(!text.contains("Host: example.org") && !text.contains("pipeline") && !text.contains("Basic"))
    #expect(text.contains("host: h\r\n") && text.contains("user-agent: u\r\n"))
  }

  @Test("refuses headers that would break the request, without showing values")
  func refuses() {
    let wrong = [
      HeaderField("X-A", "hunter2\r\nX-B: 1"), HeaderField("X A", "hunter2"), HeaderField("", "hunter2"),
      HeaderField("X-A", "hunter2\u{0}"), HeaderField("upgrade", "hunter2"),
      HeaderField("Sec-WebSocket-Key", "hunter2"),
      HeaderField("Sec-WebSocket-Protocol", "hunter2"),
    ]
    for field in wrong {
      let failure = #expect(throws: ConnectionFailure.self) {
        try UpgradeRequest.check(headers: [field], subprotocols: [])
      }
      #expect(failure?.kind == .configuration(option: "headers"))
      #expect(failure?.description.contains("hunter2") == false)
    }
    for names in [["a b"], ["a,b"], [""], ["a", "a"]] {
      let failure = #expect(throws: ConnectionFailure.self) {
        try UpgradeRequest.check(headers: [], subprotocols: names)
      }
      #expect(failure?.kind == .configuration(option: "subprotocols"))
    }
  }
}
