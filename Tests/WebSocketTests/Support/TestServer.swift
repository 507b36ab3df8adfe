import TestPeers

@testable import WebSocket

/// The servers of `Servers/server.py`, started once for all tests, with certificates made for them.
struct TestServer: Sendable {
  static let isAvailable = PythonServer.isAvailable
  static let reason = PythonServer.reason

  private static let started = Result { try TestServer() }

  /// The servers, started at the first call.
  static func shared() throws -> TestServer { try started.get() }

  private let server: PythonServer

  private init() throws {
    let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    server = try PythonServer(script: "\(folder)/Servers/server.py")
  }

  /// Where the certificates lie.
  var directory: String { server.certificates.directory }

  /// The port of one of the servers, see `Servers/server.py`.
  func port(_ name: String) throws -> Int { try server.port(name) }

  /// Whether a server runs: those of programs that are not installed do not.
  static func has(_ name: String) -> Bool { (try? shared().port(name)) != nil }

  func url(_ path: String, server: String = "ws", host: String = "127.0.0.1") throws -> String {
    "\(Self.isSecure(server) ? "wss" : "ws")://\(host):\(try port(server))\(path)"
  }

  static func isSecure(_ server: String) -> Bool {
    ["wss", "wrong", "client"].contains(server) || server.hasSuffix("_tls")
  }

  /// A session with one of the servers that trusts the authority of the tests.
  func session(
    _ path: String, server name: String = "ws", host: String = "127.0.0.1",
    _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> Session {
    try Session(try url(path, server: name, host: host)) { configuration in
      if Self.isSecure(name) { configuration.tls.caFile = "\(directory)/ca.pem" }
      change(&configuration)
    }
  }
}
