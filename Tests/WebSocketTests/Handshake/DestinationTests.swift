import Testing
@testable import WebSocket

@Suite struct DestinationTests {
  private func destination(_ url: String) throws -> Destination {
    let headers = [
      HeaderField("authorization", "Bearer hunter2"), HeaderField("Cookie", "id=hunter2"),
      HeaderField("X-Client", "a"),
    ]
    return Destination(endpoint: try Endpoint(url), headers: headers)
  }

  @Test("keeps all headers and credentials on the same origin")
  func sameOrigin() throws {
    let next = try destination("wss://ann:b@example.org/a").following(location: "/b")
    #expect(next.headers.count == 3)
    #expect(next.endpoint.credentials?.user == "ann")
    #expect(next.endpoint.target == "/b" && next.redirects == 1)
  }

  @Test(
    "drops Authorization, Cookie and credentials on a new origin",
    arguments: ["wss://other.org/b", "wss://example.org:8443/b", "https://other.org/"])
  func newOrigin(location: String) throws {
    let next = try destination("wss://ann:b@example.org/a").following(location: location)
    #expect(next.headers == [HeaderField("X-Client", "a")])
    #expect(next.endpoint.credentials == nil)
  }

  @Test("goes from ws to wss but never from wss to ws")
  func encryption() throws {
    let upgraded = try destination("ws://example.org/").following(location: "wss://example.org/")
    #expect(upgraded.endpoint.isSecure && upgraded.headers.count == 1)
    for location in ["ws://example.org/", "http://example.org/"] {
      let failure = #expect(throws: ConnectionFailure.self) {
        try destination("wss://example.org/").following(location: location)
      }
      #expect(failure?.kind == .redirect)
    }
  }

  @Test("gives up after five redirects in a row")
  func limit() throws {
    var current = try destination("ws://example.org/")
    for hop in 1...5 { current = try current.following(location: "/\(hop)") }
    let failure = #expect(throws: ConnectionFailure.self) { try current.following(location: "/6") }
    #expect(failure?.kind == .redirect)
  }
}
