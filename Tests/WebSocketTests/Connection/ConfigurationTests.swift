import Testing
@testable import WebSocket

@Suite struct ConfigurationTests {
  @Test("names the option that is wrong")
  func options() {
    let cases: [(String, (inout Configuration) -> Void)] = [
      ("url", { $0.url = "http://example.org" }), ("connect_timeout", { $0.connectTimeout = .zero }),
      ("ping", { $0.pingInterval = .seconds(-1) }), ("ping_timeout", { $0.pingTimeout = .zero }),
      ("close_timeout", { $0.closeTimeout = .seconds(1_000_000_000) }),
      ("max_message_bytes", { $0.maximumMessageBytes = 0 }),
      ("max_pending_bytes", { $0.maximumPendingBytes = -1 }),
      ("proxy", { $0.proxy = .url("gopher://example.org") }),
      ("proxy", { $0.proxy = .url("example.org:3128") }),
      ("client_key", { $0.tls.clientKey = "key.pem" }),
      ("headers", { $0.headers = [HeaderField("a b", "c")] }),
    ]
    for (option, change) in cases {
      var configuration = Configuration(url: "ws://example.org")
      change(&configuration)
      let failure = #expect(throws: ConnectionFailure.self) { try configuration.check() }
      #expect(failure?.kind == .configuration(option: option))
      #expect(failure?.description.hasPrefix("invalid '\(option)': ") == true)
    }
  }

  @Test("never shows a proxy's password")
  func proxySecrets() {
    var configuration = Configuration(url: "ws://example.org")
    configuration.proxy = .url("gopher://ann:hunter2@example.org")
    let failure = #expect(throws: ConnectionFailure.self) { try configuration.check() }
    #expect(failure?.description.contains("hunter2") == false)
  }
}
