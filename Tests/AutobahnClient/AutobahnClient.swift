internal import Glibc
internal import WebSocket

/// Runs the cases of an Autobahn fuzzing server and prints a line for each: its id and how the server judged it.
@main
struct AutobahnClient {
  static func main() {
    guard let server = CommandLine.arguments.dropFirst().first else {
      return stop("usage: AutobahnClient ws://HOST:PORT")
    }
    do {
      try run(server.hasSuffix("/") ? String(server.dropLast()) : server)
    } catch {
      stop("\(error)")
    }
  }

  private static func run(_ server: String) throws {
    let agent = "pipeline"
    guard let count = Int(try text("\(server)/getCaseCount")) else {
      return stop("expected the number of cases from \(server)/getCaseCount, got something else")
    }
    for number in 1...max(count, 1) {
      _ = try EchoSession("\(server)/runCase?case=\(number)&agent=\(agent)", echoes: true).run()
      let status = field("behavior", of: try text("\(server)/getCaseStatus?case=\(number)&agent=\(agent)"))
      let id = field("id", of: try text("\(server)/getCaseInfo?case=\(number)"))
      say("\(id) \(status)", to: STDOUT_FILENO)
    }
    _ = try EchoSession("\(server)/updateReports?agent=\(agent)", echoes: false).run()
  }

  /// The one message that the server answers a question with.
  private static func text(_ url: String) throws -> String { try EchoSession(url, echoes: false).run() }

  /// A text among the members of a flat JSON object.
  private static func field(_ name: String, of json: String) -> String {
    let parts = json.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
    guard let index = parts.firstIndex(of: name), index + 2 < parts.count else { return "?" }
    return parts[index + 2].split(separator: " ").joined(separator: "-")
  }

  private static func stop(_ text: String) {
    say(text, to: STDERR_FILENO)
    exit(1)
  }

  private static func say(_ text: String, to descriptor: Int32) {
    let bytes = Array("\(text)\n".utf8)
    // Nobody is left to be told of a failure.
    _ = write(descriptor, bytes, bytes.count)
  }
}
