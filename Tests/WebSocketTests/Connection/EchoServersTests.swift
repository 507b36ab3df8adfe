import TestPeers
import Testing

@testable import WebSocket

/// Servers of several makes, each with several wishes for compression on our side.
@Suite(.enabled(if: TestServer.isAvailable, Comment(rawValue: TestServer.reason)))
struct EchoServersTests {
  /// What is asked of compression, by name so that a failure tells it.
  enum Wish: String, CaseIterable {
    case none
    case any
    case withoutContext
    case narrow

    var compression: Compression? {
      guard self != .none else { return nil }
      var compression = Compression()
      compression.minimumBytes = 16
      if self == .withoutContext {
        compression.serverKeepsContext = false
        compression.clientKeepsContext = false
      }
      if self == .narrow {
        compression.serverWindowBits = 10
        compression.clientWindowBits = 9
      }
      return compression
    }
  }

  private static let compressing = [
    "ws", "wss", "narrow", "aiohttp", "aiohttp_tls", "node", "node_tls", "node_narrow",
  ]
  private static let plain = ["uncompressed", "node_uncompressed"]

  private let server: TestServer

  init() throws { server = try TestServer.shared() }

  /// An open session; nil where the server is not installed.
  private func open(_ name: String, _ wish: Wish) throws -> Session? {
    guard TestServer.has(name) else { return nil }
    let session = try server.session("/echo", server: name) { $0.compression = wish.compression }
    try session.run { $0.isOpen }
    #expect(session.sink.isOpen, "\(String(describing: session.sink.ending))")
    return session
  }

  @Test(
    "exchanges compressed and plain messages of many kinds", arguments: compressing + plain, Wish.allCases)
  func echo(name: String, wish: Wish) throws {
    guard let session = try open(name, wish) else { return }
    let agreed = session.sink.headers.value(of: "Sec-WebSocket-Extensions")
    let isAgreed = wish != .none && !Self.plain.contains(name)
    // A server may decline what it can't do: node-ws wants to be asked for a window no smaller than its own.
    if wish == .none || wish == .any { #expect((agreed != nil) == isAgreed) }
    var random = SeededGenerator(seed: 11)
    let noise = (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let texts =
      ["", "x", "κόσμε 😀", compressibleText(1, repeats: 1), compressibleText(1, repeats: 1)]
      + [compressibleText(2, repeats: 2000), String(repeating: "é", count: 200_000)]
      + (0..<300).map { compressibleText($0 % 10, repeats: 1 + $0 % 5) }
    let binaries = [[], [0], noise, [UInt8](repeating: 7, count: 1_000_000)]
    for text in texts { try session.connection.send(text: text) }
    for bytes in binaries { try bytes.withUnsafeBytes { try session.connection.send(binary: $0) } }
    try session.run { $0.texts.count == texts.count && $0.binaries.count == binaries.count }
    #expect(session.sink.texts == texts)
    #expect(session.sink.binaries == binaries)
    try session.connection.close(code: 1000)
    #expect(try session.runToEnd().ending == .closed(code: 1000, reason: "", clean: true))
  }

  @Test(
    "takes compressed fragments with code points split over them",
    arguments: ["ws", "narrow", "uncompressed"])
  func fragments(name: String) throws {
    let session = try server.session("/fragments", server: name) { $0.compression?.minimumBytes = 0 }
    try session.run { $0.isOpen }
    let texts = (1...50).map { String(repeating: "€😀é", count: $0 * 7) }
    for text in texts { try session.connection.send(text: text) }
    try session.run { $0.texts.count == texts.count }
    #expect(session.sink.texts == texts)
  }

  @Test(
    "stops a compressed message over the limit, telling the server", arguments: ["ws", "aiohttp", "node"])
  func bomb(name: String) throws {
    guard TestServer.has(name) else { return }
    let session = try server.session("/echo", server: name) {
      $0.maximumMessageBytes = 100_000
      $0.compression?.minimumBytes = 0
    }
    try session.run { $0.isOpen }
    let zeros = [UInt8](repeating: 0, count: 3_000_000)
    try zeros.withUnsafeBytes { try session.connection.send(binary: $0) }
    let sink = try session.runToEnd()
    #expect(sink.failure?.kind == .protocolViolation(closeCode: 1009))
    #expect(sink.binaries.isEmpty)
  }

  @Test("keeps what came before a reset in the middle of a compressed message", arguments: ["ws", "wss"])
  func abort(name: String) throws {
    let sink = try server.session("/abort", server: name).runToEnd()
    #expect(sink.texts == [String(repeating: "{\"n\":0}", count: 1000)])
    #expect(sink.failure?.kind == .dropped)
  }

  @Test("holds many connections of several servers on one loop")
  func many() throws {
    let names = ["ws", "wss", "aiohttp", "node"].filter(TestServer.has)
    let sessions = try (0..<120).map { number in
      try server.session("/echo", server: names[number % names.count]) { $0.compression?.minimumBytes = 0 }
    }
    try SessionLoop.run(sessions) { $0.isOpen }
    for (number, session) in sessions.enumerated() {
      for part in 0..<20 { try session.connection.send(text: "\(number) \(part) " + compressibleText(part)) }
    }
    try SessionLoop.run(sessions) { $0.texts.count == 20 }
    for (number, session) in sessions.enumerated() {
      #expect(session.sink.texts == (0..<20).map { "\(number) \($0) " + compressibleText($0) })
    }
    for session in sessions { try session.connection.close() }
    try SessionLoop.run(sessions) { $0.ending != nil }
    #expect(sessions.allSatisfy { $0.sink.ending == .closed(code: 1000, reason: "", clean: true) })
  }
}
