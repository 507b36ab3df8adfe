import Composable
import HTTP
import Scripting
import TestPeers

@testable import Pipeline

/// The real HTTP receiver of the tests, seen by a test that has a name of its own there.
struct Receiver {
  private let server: PythonServer
  private let name: String

  init(_ name: String) throws {
    server = try PythonServer.http()
    self.name = name
  }

  /// A file with the authority of its certificate.
  var authority: String { server.certificates.authority }

  /// A URL whose requests are logged.
  func url(_ path: String, _ site: String = "http") throws -> String {
    let scheme = site == "http" ? "http" : "https"
    return "\(scheme)://127.0.0.1:\(try server.port(site))\(path)\(path.contains("?") ? "&" : "?")log=\(name)"
  }

  /// A URL without a path.
  func origin(_ site: String = "http") throws -> String {
    "\(site == "http" ? "http" : "https")://127.0.0.1:\(try server.port(site))"
  }

  /// The requests so far.
  func requests() async throws -> [Value] {
    let port = try server.port("http")
    let answer = try await HTTPTransport(TransferLoop()).send(
      HTTPClient.Request("http://127.0.0.1:\(port)/log?of=\(name)"))
    guard case .list(let requests) = try Value(json: String(decoding: answer.body, as: UTF8.self)) else {
      return []
    }
    return requests
  }
}
