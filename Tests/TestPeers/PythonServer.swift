internal import Glibc

/// A Python program of `Servers` that prints one line `name=port …` and runs until its input ends.
///
/// It gets a folder with ``Certificates`` as its argument, which it removes at the end.
package struct PythonServer: Sendable {
  /// The Python with the packages that the servers need, as `scripts/test` makes it.
  package static let python = getenv("PIPELINE_TEST_PYTHON").map { String(cString: $0) }
  package static let isAvailable = python != nil
  package static let reason = "PIPELINE_TEST_PYTHON names no Python with the packages of the test servers"

  private static let startedHTTP = Result { try PythonServer(script: "http_server.py") }
  private static let startedMail = Result { try PythonServer(script: "mail_server.py") }

  /// The HTTP servers, started at the first call.
  package static func http() throws -> PythonServer { try startedHTTP.get() }

  /// The mail servers, started at the first call.
  package static func mail() throws -> PythonServer { try startedMail.get() }

  private let process: ChildProcess
  private let ports: [String: Int]
  package let certificates: Certificates

  /// Starts the program of a path, or of a name among `Servers`.
  package init(script: String) throws {
    var template = Array("/tmp/pipeline-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ChildProcess.Failure(description: "no temporary folder") }
    let directory = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    certificates = try Certificates(in: directory)
    let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Servers/"
    let path = script.hasPrefix("/") ? script : folder + script
    process = try ChildProcess([Self.python ?? "python3", path, directory])
    var ports: [String: Int] = [:]
    for word in process.readLine().split(separator: " ") {
      let pair = word.split(separator: "=")
      if pair.count == 2 { ports[String(pair[0])] = Int(pair[1]) }
    }
    self.ports = ports
    guard !ports.isEmpty else { throw ChildProcess.Failure(description: "\(script) did not start") }
  }

  /// The port of one of its servers.
  package func port(_ name: String) throws -> Int {
    guard let port = ports[name] else { throw ChildProcess.Failure(description: "no server \(name)") }
    return port
  }
}
