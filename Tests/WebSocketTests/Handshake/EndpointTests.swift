import Testing
@testable import WebSocket

@Suite struct EndpointTests {
  @Test("reads scheme, host, port, target and credentials")
  func parts() throws {
    let plain = try Endpoint("ws://example.org")
    #expect(!plain.isSecure && plain.host == "example.org" && plain.port == 80 && plain.target == "/")
    let full = try Endpoint("WSS://ann:s%3Aecret@Example.org:8443/a/b?assets=bitcoin&x=%20")
    #expect(full.isSecure && full.port == 8443 && full.target == "/a/b?assets=bitcoin&x=%20")
    #expect(full.credentials == Endpoint.Credentials(user: "ann", password: "s:ecret"))
    #expect(full.httpURL.lowercased() == "https://example.org:8443")
    let six = try Endpoint("ws://[::1]:9000/x")
    #expect(six.host == "[::1]" && six.httpURL == "http://[::1]:9000" && six.authority == "[::1]:9000")
    #expect(try Endpoint("wss://example.org:443/").authority == "example.org")
    #expect(try Endpoint("ws://example.org?q=1").target == "/?q=1")
  }

  @Test(
    "refuses what is no ws or wss URL, in one sentence",
    arguments: [
      "", "example.org", "http://example.org/", "ws:example.org", "ws://", "ws://host:0/", "ws://host:99999/",
      "ws://a b/", "wss://example.org/#part", "42",
    ])
  func refuses(text: String) {
    let failure = #expect(throws: ConnectionFailure.self) { try Endpoint(text) }
    #expect(failure?.kind == .configuration(option: "url"))
    #expect(failure?.description.hasPrefix("invalid 'url': expected a ") == true)
    #expect(failure?.description.contains("\n") == false)
  }

  @Test("never shows credentials or queries")
  func secrets() throws {
    for text in [
      "http://ann:hunter2@example.org/?token=hunter2", "ann:hunter2@host", "wss://ann:hunter2@h/#hunter2",
      "wss://ann:hunter2@h:99999/x@y?hunter2",
    ] {
      let failure = #expect(throws: ConnectionFailure.self) { try Endpoint(text) }
      #expect(failure?.description.contains("hunter2") == false)
    }
    let endpoint = try Endpoint("wss://ann:hunter2@example.org/feed?token=hunter2")
    #expect(endpoint.description == "wss://example.org/feed")
  }

  @Test("resolves locations as a browser does")
  func locations() throws {
    let base = try Endpoint("wss://example.org/a/b?q=1")
    func resolved(_ location: String) -> String? {
      base.resolving(location: location).map { $0.description + $0.target.drop { $0 != "?" } }
    }
    #expect(resolved("/c") == "wss://example.org/c")
    #expect(resolved("c?x=2#top") == "wss://example.org/a/c?x=2")
    #expect(resolved("../c") == "wss://example.org/c")
    #expect(resolved("//other.org/c") == "wss://other.org/c")
    #expect(resolved("https://other.org:9/c") == "wss://other.org:9/c")
    #expect(resolved("wss://other.org/c") == "wss://other.org/c")
    #expect(resolved("http://other.org/c") == "ws://other.org/c")
    #expect(resolved("ftp://other.org/c") == nil)
    #expect(resolved("http://") == nil)
  }
}
