import Testing

@testable import Pipeline

@Suite("The form of a URL")
struct URLTextTests {
  @Test(
    "Good URLs",
    arguments: [
      "ws://localhost", "wss://example.org/", "WSS://example.org:443/a?b=c#d", "ws://127.0.0.1:8080",
      "ws://[::1]:80/x", "wss://user:p%40ss@example.org", "wss://example.org/feed?from={position}",
      "wss://example.org?x=a:b@c/d",
    ])
  func good(text: String) {
    #expect(URLText.isValid(text, schemes: ["ws", "wss"]))
  }

  @Test(
    "Texts that are none of the expected kind",
    arguments: [
      "", "example.org", "http://example.org", "ws:/example.org", "ws://", "ws:///path", "ws://:80", "ws://@",
      "ws://host:", "ws://host:http", "ws://host:99999", "ws://[::1", "ws://[]", "ws://a b", "ws://a\nb",
      " ws://a", "://host",
    ])
  func bad(text: String) {
    #expect(!URLText.isValid(text, schemes: ["ws", "wss"]))
  }
}
