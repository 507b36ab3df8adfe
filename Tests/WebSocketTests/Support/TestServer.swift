import Glibc

/// The Python servers of `Servers/server.py`, started once for all tests, with certificates made for them.
struct TestServer: Sendable {
  static let python = getenv("PIPELINE_TEST_PYTHON").map { String(cString: $0) }
  static let isAvailable = python != nil
  static let reason = "PIPELINE_TEST_PYTHON names no Python with the package websockets"

  private static let started = Result { try TestServer() }

  /// The servers, started at the first call.
  static func shared() throws -> TestServer { try started.get() }

  private let process: ChildProcess
  private let ports: [String: Int]
  /// Where the certificates lie.
  let directory: String

  private init() throws {
    var template = Array("/tmp/websocket-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ChildProcess.Failure(description: "no temporary directory") }
    directory = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    try Self.makeCertificates(directory)
    let script = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    process = try ChildProcess([Self.python ?? "python3", "/\(script)/Servers/server.py", directory])
    var ports: [String: Int] = [:]
    for word in process.readLine().split(separator: " ") {
      let pair = word.split(separator: "=")
      if pair.count == 2 { ports[String(pair[0])] = Int(pair[1]) }
    }
    self.ports = ports
    guard !ports.isEmpty else { throw ChildProcess.Failure(description: "the test server did not start") }
  }

  /// The port of one of the servers: ws, wss, wrong, client, mute, proxy.
  func port(_ name: String) throws -> Int {
    guard let port = ports[name] else { throw ChildProcess.Failure(description: "no server \(name)") }
    return port
  }

  func url(_ path: String, server: String = "ws", host: String = "127.0.0.1") throws -> String {
    let scheme = ["ws", "mute"].contains(server) ? "ws" : "wss"
    return "\(scheme)://\(host):\(try port(server))\(path)"
  }

  private static func makeCertificates(_ directory: String) throws {
    func request(_ name: String, _ more: [String]) throws {
      try ChildProcess.run(
        [
          "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-days", "2",
          "-keyout", "\(directory)/\(name).key", "-out", "\(directory)/\(name).pem", "-subj", "/CN=\(name)",
        ] + more)
    }
    let signed = ["-CA", "\(directory)/ca.pem", "-CAkey", "\(directory)/ca.key"]
    try request("ca", [])
    try request("server", signed + ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"])
    try request("wrong", signed + ["-addext", "subjectAltName=DNS:elsewhere.example"])
    try request("me", signed)
  }
}
