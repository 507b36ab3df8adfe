import Glibc

/// The feed of `Servers/feeds.py`, for one test.
struct FeedServer {
  /// The interpreter for servers that tests start; nil where `scripts/test` did not make one.
  static let python = getenv("PIPELINE_TEST_PYTHON").map { String(cString: $0) }
  static let isAvailable = python != nil
  static let reason = "PIPELINE_TEST_PYTHON names no Python with the package websockets"

  /// The path of one of the scripts in `Servers/`.
  static func script(_ name: String) -> String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
      + "/Servers/\(name)"
  }

  private let process: RunningCommand
  private let ports: [String: String]

  init(in folder: TemporaryFolder) throws {
    let arguments = [Self.script("feeds.py"), folder.root]
    process = try RunningCommand(program: Self.python ?? "python3", arguments, in: folder, hasInput: true)
    try process.wait(for: "\n", in: .output)
    var ports: [String: String] = [:]
    for word in process.text(.output).split(separator: "\n")[0].split(separator: " ") {
      let pair = word.split(separator: "=")
      if pair.count == 2 { ports[String(pair[0])] = String(pair[1]) }
    }
    self.ports = ports
  }

  /// An address of the plain server, or of the one whose certificate is untrusted or for elsewhere.
  func url(_ path: String, server: String = "ws") throws -> String {
    guard let port = ports[server] else { throw CommandFailure("there is no server \(server)") }
    return "\(server == "ws" ? "ws" : "wss")://127.0.0.1:\(port)\(path)"
  }

  /// Waits for an event to be told so many times.
  func wait(for event: String, times: Int = 1) throws {
    try process.wait(for: " \(event)\n", times: times, in: .output)
  }

  /// The times of an event so far, in milliseconds.
  func times(of event: String) -> [Int] {
    process.text(.output).split(separator: "\n").filter { $0.hasSuffix(" \(event)") }
      .compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
  }

  /// Where among all events so far one was told, for the given time.
  func place(of event: String, time: Int = 1) -> Int? {
    let lines = process.text(.output).split(separator: "\n")
    return lines.indices.filter { lines[$0].hasSuffix(" \(event)") }.dropFirst(time - 1).first
  }

  /// Closes the connections of a path.
  func close(_ path: String) throws { try process.write("\(path)\n") }
}
