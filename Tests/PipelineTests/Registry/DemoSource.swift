import Scripting

@testable import Pipeline

/// A component with an option of every type, for tests.
enum DemoSource {
  static let spec = ComponentSpec(
    kind: .source, name: "demo", summary: "Shows an option of every type",
    fields: [
      FieldSpec(
        "url", .url(schemes: ["ws", "wss"]), required: true, help: "Where the feed is",
        example: "wss://example.org/feed"),
      FieldSpec("label", .text, help: "A label"),
      FieldSpec("count", .integer(1...100), unit: "messages", default: 10, help: "How many"),
      FieldSpec("ratio", .number(0...1), default: 0.5, help: "How much"),
      FieldSpec("verify", .boolean, default: true, help: "Whether to verify"),
      FieldSpec(
        "ping", .duration(Milliseconds.seconds(1)...Milliseconds.minutes(60)), default: "20s",
        help: "How often to ping"),
      FieldSpec("buffer", .size(1_000...1_000_000), default: "64KiB", help: "How much to hold"),
      FieldSpec("protocols", .list(of: .text), help: "Protocols to offer"),
      FieldSpec("headers", .map(of: .secretText), help: "Headers to send"),
      FieldSpec(
        "reconnect",
        .group([
          FieldSpec(
            "first", .duration(Milliseconds(1)...Milliseconds.minutes(60)), default: "1s",
            help: "The first wait"),
          FieldSpec(
            "cap", .duration(Milliseconds(1)...Milliseconds.minutes(60)), default: "60s",
            help: "The longest wait"),
        ]), default: [:], help: "How to reconnect"),
      FieldSpec("mode", .choice(["fast", "careful"]), default: "fast", help: "How to go about it"),
      FieldSpec("fallback", .reference(to: .channel), help: "Where to turn"),
      FieldSpec("token", .secretText, help: "The token"),
      FieldSpec("open", .list(of: .message), help: "What to send first"),
      FieldSpec("extra", .value, help: "Anything"),
      FieldSpec("certificate", .file(mustExist: true), help: "A file"),
    ],
    example: "feed = source.demo { url = \"wss://example.org/feed\" }",
    check: { fields in
      let reconnect = fields.group("reconnect")
      return reconnect.duration("first") <= reconnect.duration("cap")
        ? [] : [ComponentSpec.Fault("reconnect.first", "expected at most the 'cap'")]
    })

  /// Reads options as `sources.btc` of line 12 would be read; the url is given unless the options give one.
  static func read(_ options: [String: Value]) -> (fields: FieldReader?, findings: [String]) {
    var registry = Registry()
    registry.register(spec) { $0 }
    var validation = FieldValidation(
      names: [.channel: ["phone", "screen"]], folder: "demo/", fileExists: { $0 == "demo/ca.pem" })
    let options = options.merging(["url": "ws://example.org"]) { given, _ in given }
    let call: Value = ["$component": "source.demo", "$line": 12, "$fields": .map(options)]
    let place = Place(file: "config.lua", path: "sources.btc")
    let component = validation.component(call, kind: .source, name: "btc", registry: registry, at: place)
    return (component?.fields, validation.findings.sorted.map(\.description))
  }

  /// A reference to a variable as it arrives from Lua.
  static func env(_ name: String) -> Value { ["$env": .text(name), "$line": 14] }
}
