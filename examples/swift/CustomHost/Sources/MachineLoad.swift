import FoundationEssentials
import Pipeline
import Scripting

/// A source: the load of this machine as proc_loadavg(5) tells it, every so often.
struct MachineLoad: NativeSource {
  let path: String
  let interval: Duration
  /// How often it looks in all, nil for no end.
  let count: Int64?

  init(fields: FieldReader) {
    path = fields.text("path")
    interval = .milliseconds(fields.duration("every").count)
    count = fields.optionalInteger("count")
  }

  func run(sending messages: MessageSender, after position: String?) async throws {
    for number in 1...(count ?? .max) {
      let line = try String(contentsOfFile: path, encoding: .utf8)
      let load = line.prefix { !$0.isWhitespace }
      try await messages.send("{\"load\":\"\(load)\"}")
      if number != count { try await Task.sleep(for: interval) }
    }
  }

  static let spec = ComponentSpec(
    kind: .source, name: "load", summary: "Tells the load of this machine",
    fields: [
      FieldSpec(
        "every", .duration(Milliseconds(1)...Milliseconds.minutes(60)), default: "5s",
        help: "How often it looks"),
      FieldSpec("count", .integer(1 ... .max), help: "How often it looks in all; without it, for ever"),
      FieldSpec("path", .file(mustExist: true), default: "/proc/loadavg", help: "Where it looks"),
    ],
    example: "load = source.load { every = \"5s\" }")
}
