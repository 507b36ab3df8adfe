import TestPeers

/// The Python servers of `Servers/server.py`, started once for all tests, with certificates made for them.
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

  /// The port of one of the servers: ws, wss, wrong, client, mute, proxy.
  func port(_ name: String) throws -> Int { try server.port(name) }

  func url(_ path: String, server: String = "ws", host: String = "127.0.0.1") throws -> String {
    let scheme = ["ws", "mute"].contains(server) ? "ws" : "wss"
    return "\(scheme)://\(host):\(try port(server))\(path)"
  }
}
