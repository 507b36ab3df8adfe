import Glibc
import HTTP
import Testing

@testable import WebSocket

@Suite(.enabled(if: TestServer.isAvailable, Comment(rawValue: TestServer.reason)))
struct RealServerTests {
  private let server: TestServer

  init() throws { server = try TestServer.shared() }

  private func session(
    _ path: String, server name: String = "ws", host: String = "127.0.0.1",
    _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> Session {
    try server.session(path, server: name, host: host, change)
  }

  // MARK: Messages

  @Test(
    "exchanges messages of many sizes, whole and in fragments", arguments: ["ws", "wss"],
    ["/echo", "/fragments"])
  func echo(name: String, path: String) throws {
    let session = try session(path, server: name)
    try session.run { $0.isOpen }
    let texts = [
      "x", "κόσμε 😀", String(repeating: "é", count: 40_000), String(repeating: "0123456789", count: 100_000),
    ]
    for text in texts { try session.connection.send(text: text) }
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    try bytes.withUnsafeBytes { try session.connection.send(binary: $0) }
    try session.run { $0.texts.count == texts.count && $0.binaries.count == 1 }
    #expect(session.sink.texts == texts)
    #expect(session.sink.binaries == [bytes])
    try session.connection.close()
    #expect(try session.runToEnd().ending == .closed(code: 1000, reason: "", clean: true))
  }

  @Test("takes thousands of messages in order", arguments: ["ws", "wss"])
  func order(name: String) throws {
    let sink = try session("/count?messages=20000", server: name).runToEnd()
    #expect(sink.texts == (0..<20_000).map { "{\"n\":\($0)}" })
    #expect(sink.ending == .closed(code: 1000, reason: "", clean: true))
  }

  @Test("reads no more in one call than it is told")
  func bounded() throws {
    let session = try session("/count?messages=20000") { $0.compression = nil }
    try session.run { $0.isOpen }
    var calls = 0
    while session.sink.ending == nil {
      let before = session.sink.texts.count
      let progress = session.connection.process(
        now: monotonicNanoseconds(), readLimit: 1000, into: &session.sink)
      #expect(session.sink.texts.count - before <= 1000 / 9)
      if progress == .moreWaiting { #expect(session.connection.nextDeadline == 0) }
      calls += 1
    }
    #expect(session.sink.texts.count == 20_000 && calls > 200)
  }

  @Test("offers subprotocols and headers, and tells what was agreed")
  func headers() throws {
    let session = try session("/headers") {
      $0.subprotocols = ["v9", "v1"]
      $0.headers = [HeaderField("X-Token", "abc"), HeaderField("User-Agent", "mine")]
    }
    let sink = try session.runToEnd()
    #expect(sink.subprotocol == "v1")
    #expect(sink.headers.value(of: "upgrade") == "websocket")
    let sent = sink.texts.first?.split(separator: "\n") ?? []
    #expect(sent.contains("X-Token: abc") && sent.contains("User-Agent: mine"))
    #expect(sent.contains("Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"))
  }

  // MARK: TLS

  @Test("refuses a certificate of an unknown authority, naming the reason")
  func unknownAuthority() throws {
    let failure = try session("/echo", server: "wss") { $0.tls.caFile = nil }.runToEnd().failure
    #expect(failure?.kind == .tls)
    #expect(failure?.description.contains("certificate") == true)
  }

  @Test("refuses a certificate for another host, and takes it when told not to check")
  func wrongHost() throws {
    let failure = try session("/echo", server: "wrong").runToEnd().failure
    #expect(failure?.kind == .tls)
    let unchecked = try session("/echo", server: "wrong") { $0.tls.isVerified = false }
    try unchecked.run { $0.isOpen }
    #expect(unchecked.sink.isOpen)
  }

  @Test("checks the name that the URL holds, not only the address")
  func hostName() throws {
    let session = try session("/echo", server: "wss", host: "localhost")
    try session.run { $0.isOpen }
    #expect(session.sink.isOpen)
  }

  @Test("shows its own certificate to a server that wants one")
  func clientCertificate() throws {
    let with = try session("/echo", server: "client") {
      $0.tls.clientCertificate = "\(server.directory)/me.pem"
      $0.tls.clientKey = "\(server.directory)/me.key"
    }
    try with.run { $0.isOpen }
    #expect(with.sink.isOpen)
    // TLS 1.3 tells it only after the handshake: by an alert, a reset or a bare end, whichever comes first.
    let failure = try session("/echo", server: "client").runToEnd().failure
    #expect(failure.map { [.tls, .dropped, .handshake].contains($0.kind) } == true)
    #expect(failure?.description.contains("client certificate") == true)
  }

  @Test("names the certificate file that cannot be read")
  func missingFile() throws {
    let failure = try session("/echo", server: "wss") { $0.tls.caFile = "/nowhere/ca.pem" }.runToEnd().failure
    #expect(failure?.kind == .configuration(option: "ca_file"))
    #expect(
      failure?.description == "invalid 'ca_file': cannot read /nowhere/ca.pem: No such file or directory")
  }

  @Test("says that a file of authorities holds none")
  func wrongFile() throws {
    let failure = try session("/echo", server: "wss") { $0.tls.caFile = #filePath }.runToEnd().failure
    #expect(failure?.kind == .tls)
  }

  // MARK: Refusals

  @Test("reports 401 and 429 with status, body and Retry-After")
  func refusals() throws {
    let unauthorized = try session("/401?token=hunter2").runToEnd().failure
    #expect(unauthorized?.kind == .httpStatus(401))
    #expect(unauthorized.map { String(decoding: $0.bodyExcerpt, as: UTF8.self) } == "who are you?\n")
    #expect(unauthorized?.description.contains("hunter2") == false)
    let busy = try session("/429").runToEnd().failure
    #expect(busy?.kind == .httpStatus(429))
    #expect(busy?.retryAfter == .seconds(30))
  }

  @Test("follows redirects to another path and to another server")
  func redirects() throws {
    let path = try session("/redirect?to=/echo")
    try path.run { $0.isOpen }
    #expect(path.sink.isOpen)
    let away = try session("/redirect?to=\(try server.url("/headers", server: "wss"))") {
      $0.tls.caFile = "\(server.directory)/ca.pem"
      $0.headers = [HeaderField("Authorization", "Bearer hunter2"), HeaderField("X-Kept", "yes")]
    }
    let sink = try away.runToEnd()
    #expect(sink.texts.first?.contains("X-Kept: yes") == true)
    #expect(sink.texts.first?.contains("hunter2") == false)
    let circle = try session("/circle").runToEnd().failure
    #expect(circle?.kind == .redirect)
    #expect(circle?.description.contains("5 redirects") == true)
    let downgrade = try session("/redirect?to=\(try server.url("/echo"))", server: "wss").runToEnd().failure
    #expect(downgrade?.kind == .redirect)
  }

  @Test("names a refused connection and an unknown host")
  func unreachable() throws {
    let listener = try Listener()
    let port = listener.port
    listener.close()
    let refused = try Session("ws://127.0.0.1:\(port)/?token=hunter2").runToEnd().failure
    #expect(refused?.kind == .connect)
    #expect(
      refused?.description == "cannot connect to ws://127.0.0.1:\(port)/ (port \(port)): Connection refused")
    let unknown = try Session("ws://no-such-host.invalid/").runToEnd().failure
    #expect(unknown?.kind == .nameResolution)
    #expect(unknown?.description.contains("no-such-host.invalid") == true)
  }

  @Test("gives up a server that accepts and never answers, at the deadline", arguments: ["ws", "wss"])
  func silent(scheme: String) throws {
    let listener = try Listener()
    defer { listener.close() }
    let session = try Session("\(scheme)://127.0.0.1:\(listener.port)/") {
      $0.connectTimeout = .milliseconds(200)
    }
    let start = monotonicNanoseconds()
    let failure = try session.runToEnd().failure
    let elapsed = monotonicNanoseconds() - start
    #expect(failure?.kind == .connectTimeout)
    #expect(failure?.description.contains(scheme == "ws" ? "upgrade" : "TLS") == true)
    #expect(elapsed >= 200_000_000 && elapsed < 10_000_000_000)
  }

  // MARK: Proxies

  @Test("goes through a proxy with a user and a password", arguments: ["ws", "wss"])
  func proxy(name: String) throws {
    let session = try session("/echo", server: name) {
      $0.proxy = .url("http://ann:secret@127.0.0.1:\(port("proxy"))")
    }
    try session.run { $0.isOpen }
    try session.connection.send(text: "through")
    try session.run { !$0.texts.isEmpty }
    #expect(session.sink.texts == ["through"])
  }

  @Test("reports a proxy that refuses, without its password")
  func proxyRefuses() throws {
    let failure = try session("/echo") { $0.proxy = .url("http://ann:hunter2@127.0.0.1:\(port("proxy"))") }
      .runToEnd().failure
    #expect(failure?.kind == .proxy)
    #expect(failure?.description.contains("407") == true && failure?.description.contains("hunter2") == false)
  }

  private func port(_ name: String) -> Int { (try? server.port(name)) ?? 0 }

  // MARK: Ends

  @Test(
    "reports the code and the reason of the server's close",
    arguments: [1000, 1001, 1011, 1012, 1013, 3000, 4999])
  func serverCloses(code: Int) throws {
    let sink = try session("/close?code=\(code)&reason=because").runToEnd()
    #expect(sink.ending == .closed(code: UInt16(code), reason: "because", clean: true))
  }

  @Test("tells the server the code and the reason of our close")
  func clientCloses() throws {
    for (code, reason) in [(UInt16(1000), "bye"), (1001, ""), (4321, "κλείσε")] {
      let name = "close\(code)"
      let session = try session("/echo?name=\(name)")
      try session.run { $0.isOpen }
      try session.connection.close(code: code, reason: reason)
      #expect(try session.runToEnd().ending == .closed(code: code, reason: reason, clean: true))
      let told = try self.session("/closes?name=\(name)").runToEnd()
      #expect(told.texts == ["\(code):\(reason)"])
    }
  }

  @Test("reports a server that drops the connection in the middle of a message")
  func dropped() throws {
    let sink = try session("/drop").runToEnd()
    #expect(sink.failure?.kind == .dropped)
    #expect(sink.failure?.description.hasSuffix("without a close frame in the middle of a message") == true)
    #expect(sink.binaries.isEmpty)
  }

  @Test("refuses a message of 10 MB over the limit, telling the server and naming the option")
  func tooBig() throws {
    let sink = try session("/big?size=10000000&name=big") { $0.maximumMessageBytes = 1_000_000 }.runToEnd()
    #expect(sink.failure?.kind == .protocolViolation(closeCode: 1009))
    #expect(sink.failure?.description.contains("max_message_bytes") == true)
    #expect(sink.binaries.isEmpty)
    let whole = try session("/big?size=10000000")
    try whole.run { !$0.binaries.isEmpty }
    #expect(whole.sink.binaries.first?.count == 10_000_000)
  }

  @Test("measures the round trip of a ping")
  func ping() throws {
    let session = try session("/echo") { $0.pingInterval = .milliseconds(20) }
    try session.run { $0.latencies.count == 3 }
    #expect(session.sink.latencies.count == 3 && session.sink.latencies.allSatisfy { $0 > 0 })
  }

  @Test("fails when a server that accepted the upgrade answers no pings")
  func pingTimeout() throws {
    let session = try session("/", server: "mute") {
      $0.pingInterval = .milliseconds(20)
      $0.pingTimeout = .milliseconds(50)
    }
    let sink = try session.runToEnd()
    #expect(sink.isOpen)
    #expect(sink.failure?.kind == .pingTimeout)
  }

  @Test("bounds what waits for a server that does not read")
  func backlog() throws {
    let session = try session("/", server: "mute") { $0.maximumPendingBytes = 1_000_000 }
    try session.run { $0.isOpen }
    let block = [UInt8](repeating: 1, count: 100_000)
    var refusal: SendError?
    for _ in 0..<1000 where refusal == nil {
      do {
        try block.withUnsafeBytes { try session.connection.send(binary: $0) }
      } catch { refusal = error as? SendError }
    }
    guard case .backlog(let waiting, 1_000_000) = refusal else {
      Issue.record("expected a refusal, got \(String(describing: refusal))")
      return
    }
    #expect(waiting > 900_000 && session.connection.pendingBytes <= 1_000_000 + 200)
  }

  // MARK: Threads

  @Test("is handed from thread to thread, one at a time")
  func threads() throws {
    let session = try session("/count?messages=500")
    for _ in 0..<5000 where session.sink.ending == nil {
      var thread = pthread_t()
      let started = pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          let session = Unmanaged<Session>.fromOpaque(argument).takeUnretainedValue()
          session.wait()
          _ = session.step(readLimit: 4096)
          return nil
        }, Unmanaged.passUnretained(session).toOpaque())
      #expect(started == 0)
      pthread_join(thread, nil)
    }
    #expect(session.sink.texts == (0..<500).map { "{\"n\":\($0)}" })
    #expect(session.sink.ending == .closed(code: 1000, reason: "", clean: true))
  }
}
