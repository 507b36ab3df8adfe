/// The feeds of `Servers/web_feeds.py`, for one test.
struct WebFeedServer {
  private let process: RunningCommand
  private let ports: [String: String]

  init(in folder: TemporaryFolder) throws {
    let arguments = [FeedServer.script("web_feeds.py"), folder.root]
    process = try RunningCommand(
      program: FeedServer.python ?? "python3", arguments, in: folder, hasInput: true)
    try process.wait(for: "\n", in: .output)
    var ports: [String: String] = [:]
    for word in process.text(.output).split(separator: "\n")[0].split(separator: " ") {
      let pair = word.split(separator: "=")
      if pair.count == 2 { ports[String(pair[0])] = String(pair[1]) }
    }
    self.ports = ports
  }

  /// An address on one of its servers.
  func url(_ path: String, scheme: String = "http", server: String = "http") throws -> String {
    guard let port = ports[server] else { throw CommandFailure("there is no server \(server)") }
    return "\(scheme)://127.0.0.1:\(port)\(path)"
  }

  /// Waits for a request to be told so many times.
  func wait(for request: String, times: Int = 1) throws {
    try process.wait(for: request, times: times, in: .output)
  }

  /// The requests of a path so far, with what they were asked with.
  func requests(of path: String) -> [String] {
    let lines = process.text(.output).split(separator: "\n").map(String.init)
    return lines.filter { $0.hasSuffix(" \(path)") || $0.contains(" \(path) ") }
  }
}
