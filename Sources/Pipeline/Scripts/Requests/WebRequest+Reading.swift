import Composable
import HTTP
import Scripting

extension WebRequest {
  /// The options of `effect.http`, but for `json`, which takes any value.
  static let options: [OptionSpec] = [
    OptionSpec(
      "url", .text, required: true,
      help: "An http or https URL; its host has to be among the script's 'hosts'."),
    OptionSpec("method", .choice(methods), default: "\"GET\", or \"POST\" with a body", help: "The method."),
    OptionSpec("headers", .labels, default: "{}", help: "Header fields by name."),
    OptionSpec("text", .text, help: "The body as it is; 'json' is plain data that is sent as JSON."),
    OptionSpec("timeout", .duration, default: "\"30s\"", help: "How long to wait for the whole answer."),
    OptionSpec(
      "pace", .duration,
      help: "The least span between two requests of the script to one host; earlier ones wait."),
    OptionSpec(
      "reply", .text, required: true, help: "The function of M.actions that gets the reply, exactly once."),
    OptionSpec(
      "id", .text,
      help: "What the request is known by under its key; a newer one of the same id takes its place."),
  ]

  private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

  /// The longest time that a script can wait for an answer.
  private static let longestTimeout = Milliseconds.minutes(10)

  /// Reads a request as a script asks for it.
  ///
  /// - Parameters:
  ///   - actions: the actions that can take a reply.
  ///   - hosts: those that may be asked; nil for any.
  /// - Throws: ``InvalidOptions`` with everything that is wrong.
  static func read(
    _ value: Value, actions: Set<String>, hosts: [String]?
  ) throws(InvalidOptions) -> (request: WebRequest, reply: String) {
    var value = value
    var json: Value?
    if case .map(var members) = value {
      json = members.removeValue(forKey: "json")
      value = .map(members)
    }
    var reader = OptionReader(value, specs: options)
    let url = reader.text("url")
    let text = reader.text("text")
    let method = reader.choice("method")
    let headers = reader.labels("headers") ?? [:]
    let timeout = min(reader.duration("timeout") ?? .seconds(30), longestTimeout)
    let pace = reader.duration("pace") ?? .zero
    let reply = reader.text("reply")
    let id = reader.text("id")
    for name in ["url", "reply"] where !reader.has(name) { reader.report(name, expected: "a text") }
    if text != nil, json != nil { reader.report("text", expected: "no other body beside 'json'") }
    if let reply, !actions.contains(reply) {
      reader.report(
        "reply", expected: "a function of M.actions",
        got: "'\(reply.prefix(60))'; " + Suggestion.hint(for: reply, among: actions))
    }
    var host = ""
    if let url {
      do throws(TransferFailure) {
        let origin = try Origin(url)
        host = origin.host
        if origin.scheme != "https", origin.scheme != "http" {
          reader.report("url", expected: "an http or https URL", got: "'\(origin.scheme)'")
        } else if let hosts, !hosts.contains(host), !hosts.contains("*") {
          reader.report(
            "url", expected: "one of the hosts that the configuration allows the script",
            got: "\(host); add hosts = { \"\(host)\" } to the script")
        }
      } catch {
        reader.report("url", expected: "an http or https URL", got: "something else")
      }
    }
    var fields = headers.sorted { $0.key < $1.key }.map { HTTPClient.Field($0.key, $0.value) }
    var body: [UInt8] = []
    if let json {
      body = Array(json.json.utf8)
      if !headers.keys.contains(where: { $0.lowercased() == "content-type" }) {
        fields.append(HTTPClient.Field("Content-Type", "application/json"))
      }
    } else if let text {
      body = Array(text.utf8)
    }
    guard reader.findings.isEmpty, let url, let reply else { throw InvalidOptions(findings: reader.findings) }
    let request = HTTPClient.Request(
      url, method: method ?? (body.isEmpty ? "GET" : "POST"), headers: fields, body: body,
      timeout: .milliseconds(timeout.count))
    return (
      WebRequest(
        id: id ?? "", number: 0, key: "", request: request, pace: pace,
        followsRedirects: hosts?.contains("*") ?? true, host: host), reply
    )
  }
}
