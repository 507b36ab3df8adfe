import Glibc
import Scripting
import Synchronization
import Testing
import Threads

@testable import Pipeline

@Suite("The socket for commands")
struct ControlServerTests {
  private let folder: StorageFolder

  init() { folder = StorageFolder() }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func connected(to path: String) throws -> Int32 {
    let descriptor = UnixAddress.makeSocket(waits: true)
    try #require(descriptor >= 0)
    let address = try UnixAddress(path: path)
    try #require(address.with { connect(descriptor, $0, $1) } == 0)
    return descriptor
  }

  /// Does what waits for the server beside the threads that the server's answers need.
  private func aside<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result
  {
    try await withCheckedThrowingContinuation { continuation in
      do throws(SystemFailure) {
        try DedicatedThread.start { continuation.resume(with: Swift.Result { try work() }) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  private func ask(_ request: ControlRequest, at paths: [String]) async throws -> Value? {
    try await aside { try ControlClient.ask(request, at: paths, timeout: .seconds(600)) }
  }

  /// What comes until the other end closes.
  private func rest(_ descriptor: Int32) async throws -> String {
    try await aside { Self.rest(descriptor) }
  }

  private static func rest(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func send(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  @Test("a request in pieces is answered by one line, and the connection closed")
  func answer() async throws {
    let server = try ControlServer.start(at: path("s")) { ["ok": true, "asked": .text($0.rawValue)] }
    let client = try connected(to: path("s"))
    send("{\"comm", to: client)
    send("and\":\"reload\"}\nwhat follows does not count", to: client)
    #expect(try await rest(client) == "{\"asked\":\"reload\",\"ok\":true}\n")
    close(client)
    #expect(
      try await ask(.status, at: [path("none"), path("s")])?["asked"]
        == "status")
    await server.stop()
    #expect(try await ask(.status, at: [path("s")]) == nil)
  }

  @Test("an answer of any length arrives, however slowly it is read")
  func long() async throws {
    let text = String(repeating: "x", count: 8 << 20)
    let server = try ControlServer.start(at: path("s")) { _ in ["ok": true, "text": .text(text)] }
    #expect(try await ask(.reload, at: [path("s")])?["text"]?.text == text)
    await server.stop()
  }

  @Test(
    "what is no request is told what is wrong with it",
    arguments: [
      ("nonsense\n", "expected a line of JSON"),
      ("{}\n", "expected {\\\"command\\\": …} with one of status, reload"),
      ("{\"command\":\"statsu\"}\n", "unknown command 'statsu'; did you mean 'status'?"),
      (String(repeating: "x", count: 5_000), "a request has 4096 bytes at most"),
    ])
  func faults(request: String, answer: String) async throws {
    let server = try ControlServer.start(at: path("s")) { _ in ["ok": true] }
    let client = try connected(to: path("s"))
    send(request, to: client)
    let text = try await rest(client)
    #expect(text.contains(answer), "\(text)")
    close(client)
    await server.stop()
  }

  @Test("clients that say nothing are too many at some point, and others are served when they are gone")
  func idleClients() async throws {
    let server = try ControlServer.start(at: path("s")) { _ in ["ok": true] }
    let clients = try (0..<ControlServer.connectionLimit).map { _ in try connected(to: path("s")) }
    let late = try connected(to: path("s"))
    #expect(try await rest(late).contains("too many commands at once"))
    for client in clients + [late] { close(client) }
    var answer: Value?
    while answer?["ok"] != true {
      do { answer = try await ask(.status, at: [path("s")]) } catch { continue }
    }
    await server.stop()
  }

  @Test("many questions about the status within a moment ask the host once")
  func cached() async throws {
    let asked = Mutex(0)
    let server = try ControlServer.start(at: path("s")) { _ in
      asked.withLock { $0 += 1 }
      return ["ok": true]
    }
    let start = ContinuousClock.now
    for _ in 0..<50 { _ = try await ask(.status, at: [path("s")]) }
    let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
    #expect(asked.withLock { $0 } <= tenths + 1)
    await server.stop()
  }

  @Test("a path longer than the kernel takes is reached all the same")
  func longPath() async throws {
    var deep = folder.path
    var made: [String] = []
    defer { for folder in made.reversed() { rmdir(folder) } }
    for _ in 0..<4 {
      deep += "/" + String(repeating: "d", count: 60)
      try #require(mkdir(deep, 0o700) == 0)
      made.append(deep)
    }
    let server = try ControlServer.start(at: "\(deep)/state.db.sock") { _ in ["ok": true] }
    #expect(
      try await ask(.status, at: ["\(deep)/state.db.sock"]) == ["ok": true])
    await server.stop()
    #expect(throws: FileError.self) {
      try ControlServer.start(at: "\(deep)/\(String(repeating: "n", count: 120))") { _ in ["ok": true] }
    }
  }

  @Test(
    "a socket that somebody listens at is left alone, one that was left behind is replaced, a file is not")
  func stale() async throws {
    let first = try ControlServer.start(at: path("s")) { _ in ["who": "first"] }
    let error = #expect(throws: FileError.self) {
      try ControlServer.start(at: path("s")) { _ in ["who": "second"] }
    }
    #expect(error?.description.contains("another pipeline listens") == true)
    #expect(try await ask(.status, at: [path("s")])?["who"] == "first")
    await first.stop()
    // As a killed process leaves it: bound, and nobody there.
    let left = UnixAddress.makeSocket(waits: true)
    let address = try UnixAddress(path: path("s"))
    try #require(address.with { bind(left, $0, $1) } == 0)
    close(left)
    #expect(try await ask(.status, at: [path("s")]) == nil)
    let second = try ControlServer.start(at: path("s")) { _ in ["who": "second"] }
    #expect(try await ask(.status, at: [path("s")])?["who"] == "second")
    await second.stop()
    try TextFile.create(path("file"), "mine")
    #expect(throws: FileError.self) { try ControlServer.start(at: path("file")) { _ in ["ok": true] } }
    #expect(try TextFile.read(path("file"), maximumBytes: 10) == "mine")
  }
}
