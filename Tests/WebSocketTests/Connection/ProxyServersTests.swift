import Glibc
import Testing

@testable import WebSocket

/// Ways through proxies: those that the client names, and those that stand before the server.
@Suite(.enabled(if: TestServer.isAvailable, Comment(rawValue: TestServer.reason)))
struct ProxyServersTests {
  private let server: TestServer

  init() throws { server = try TestServer.shared() }

  /// Sends something through and gets it back.
  private func expectEcho(_ session: Session) throws {
    try session.run { $0.isOpen }
    try session.connection.send(text: "through")
    try session.run { !$0.texts.isEmpty }
    #expect(session.sink.texts == ["through"], "\(String(describing: session.sink.ending))")
  }

  // MARK: Named by the client

  @Test(
    "goes through SOCKS proxies of every kind", arguments: ["socks4a", "socks5", "socks5h"], ["ws", "wss"])
  func socks(scheme: String, name: String) throws {
    let port = try server.port("socks")
    try expectEcho(
      server.session("/echo", server: name, host: "localhost") {
        $0.proxy = .url("\(scheme)://ann:secret@127.0.0.1:\(port)")
      })
  }

  @Test("reports a SOCKS proxy that refuses, without its password")
  func socksRefuses() throws {
    let port = try server.port("socks")
    let failure = try server.session("/echo") { $0.proxy = .url("socks5h://ann:hunter2@127.0.0.1:\(port)") }
      .runToEnd().failure
    #expect(failure?.kind == .proxy)
    #expect(failure?.description.contains("hunter2") == false)
  }

  @Test("goes through tinyproxy", .enabled(if: TestServer.has("tinyproxy")), arguments: ["ws", "wss"])
  func tinyproxy(name: String) throws {
    let port = try server.port("tinyproxy")
    try expectEcho(
      server.session("/echo", server: name) { $0.proxy = .url("http://ann:secret@127.0.0.1:\(port)") })
    let failure = try server.session("/echo", server: name) {
      $0.proxy = .url("http://ann:hunter2@127.0.0.1:\(port)")
    }.runToEnd().failure
    #expect(failure?.kind == .proxy)
    #expect(failure?.description.contains("hunter2") == false)
  }

  // MARK: Named by the environment

  /// Connects with variables set, in a process of its own; what came of it is its exit code.
  private static func connect(_ url: String, authority: String, _ variables: [(String, String)]) -> Int32 {
    for (name, value) in variables { setenv(name, value, 1) }
    do {
      let session = try Session(url) {
        $0.proxy = .environment
        $0.tls.caFile = authority
      }
      try session.run { $0.isOpen }
      if session.sink.isOpen { return 10 }
      return session.sink.failure?.kind == .proxy ? 11 : 12
    } catch {
      return 13
    }
  }

  @Test("takes the proxy of the scheme from the environment, or the one for all")
  func environment() async throws {
    let proxy = "http://ann:secret@127.0.0.1:\(try server.port("proxy"))"
    let refusing = "http://ann:wrong@127.0.0.1:\(try server.port("proxy"))"
    let ws = try server.url("/echo")
    let wss = try server.url("/echo", server: "wss")
    let authority = "\(server.directory)/ca.pem"
    // A refusal shows that the proxy was asked; an opening, that this one was.
    await #expect(processExitsWith: .exitCode(11)) {
      [ws = ws as String, authority = authority as String, refusing = refusing as String] in
      exit(Self.connect(ws, authority: authority, [("http_proxy", refusing)]))
    }
    await #expect(processExitsWith: .exitCode(11)) {
      [
        wss = wss as String, authority = authority as String, refusing = refusing as String,
        proxy = proxy as String
      ] in
      exit(Self.connect(wss, authority: authority, [("https_proxy", refusing), ("http_proxy", proxy)]))
    }
    await #expect(processExitsWith: .exitCode(11)) {
      [wss = wss as String, authority = authority as String, refusing = refusing as String] in
      exit(Self.connect(wss, authority: authority, [("all_proxy", refusing)]))
    }
    await #expect(processExitsWith: .exitCode(10)) {
      [wss = wss as String, authority = authority as String, proxy = proxy as String] in
      exit(Self.connect(wss, authority: authority, [("HTTPS_PROXY", proxy)]))
    }
    await #expect(processExitsWith: .exitCode(10)) {
      [wss = wss as String, authority = authority as String, refusing = refusing as String] in
      exit(
        Self.connect(
          wss, authority: authority, [("https_proxy", refusing), ("no_proxy", "localhost,127.0.0.1")]))
    }
  }

  // MARK: Before the server

  @Test(
    "speaks through nginx, which may end TLS or begin it again", .enabled(if: TestServer.has("nginx")),
    arguments: [("nginx", "/echo"), ("nginx_tls", "/echo"), ("nginx_tls", "/again/echo")])
  func nginx(name: String, path: String) throws {
    let session = try server.session(path, server: name, host: "localhost") {
      $0.compression?.minimumBytes = 0
    }
    try session.run { $0.isOpen }
    #expect(session.sink.headers.value(of: "Sec-WebSocket-Extensions") != nil)
    let texts = (0..<200).map { compressibleText($0, repeats: 1 + $0 * 3) }
    for text in texts { try session.connection.send(text: text) }
    try session.run { $0.texts.count == texts.count }
    #expect(session.sink.texts == texts)
    try session.connection.close(code: 4001, reason: "enough")
    #expect(try session.runToEnd().ending == .closed(code: 4001, reason: "enough", clean: true))
  }

  @Test("reports what nginx says of a server that is gone", .enabled(if: TestServer.has("nginx")))
  func badGateway() throws {
    let failure = try server.session("/gone", server: "nginx").runToEnd().failure
    #expect(failure?.kind == .httpStatus(502))
  }

  @Test(
    "follows nginx from ws to wss without its credentials, never back", .enabled(if: TestServer.has("nginx")))
  func redirects() throws {
    let sink = try server.session("/elsewhere", server: "nginx") {
      $0.tls.caFile = "\(server.directory)/ca.pem"
      $0.headers = [
        HeaderField("Authorization", "Bearer hunter2"), HeaderField("Cookie", "id=hunter2"),
        HeaderField("X-Kept", "yes"),
      ]
    }.runToEnd()
    #expect(sink.texts.first?.contains("X-Kept: yes") == true)
    #expect(sink.texts.first?.contains("hunter2") == false)
    let back = try server.session("/back", server: "nginx_tls").runToEnd().failure
    #expect(back?.kind == .redirect)
    #expect(back?.description.contains("from wss to ws") == true)
  }

  // MARK: TLS

  @Test("tells the server the name it wants (SNI), and none for an address")
  func serverName() throws {
    #expect(try server.session("/sni", server: "wss", host: "localhost").runToEnd().texts == ["localhost"])
    #expect(try server.session("/sni", server: "wss").runToEnd().texts == ["None"])
  }
}
