import Pipeline

extension FunctionSpec {
  /// What a test says must have happened.
  static let claims = [state, nothing] + ClaimKind.allCases.map(\.spec)

  static let state = claim(
    "state",
    [
      ParameterSpec("key", .text, optional: true, default: "\"\"", help: "Whose state"),
      ParameterSpec("fields", .map(of: .anything), help: "The fields that changed, with their new values"),
      .options(
        optional: true,
        fields: [
          ParameterSpec("script", .text, optional: true, help: "Whose state, where there are several")
        ],
        help: "Which state"),
    ], "Claims fields of the state", "t.state { price = 69000.0 }")

  static let nothing = claim(
    "nothing", [], "Claims that nothing more happened", "t.nothing()")

  static let alert = claim(
    "alert",
    [.options("fields", optional: true, fields: alertFields + [value, to], help: "What must match")],
    "Claims the next alert", "t.alert { rule = \"over level\", text = \"bitcoin at 70010.00\" }")

  static let resolved = claim(
    "resolved",
    [.options("fields", optional: true, fields: alertFields + [value, to], help: "What must match")],
    "Claims that an alert has been resolved", "t.resolved { rule = \"over level\" }")

  static let delivered = claim(
    "delivered",
    [
      .options(
        "fields", optional: true,
        fields: alertFields + [
          ParameterSpec("channel", .text, optional: true, help: "The channel it was delivered to")
        ], help: "What must match")
    ], "Claims that an alert was delivered, where it had to wait",
    "t.delivered { rule = \"over level\", channel = \"phone\" }")

  static let effect = claim(
    "effect",
    [
      .options(
        "fields", optional: true,
        fields: [
          ParameterSpec("connect", .text, optional: true, help: "The source to connect"),
          ParameterSpec("disconnect", .text, optional: true, help: "The source to disconnect"),
          ParameterSpec("subscribe", .text, optional: true, help: "The source to subscribe at"),
          ParameterSpec("unsubscribe", .text, optional: true, help: "The source to unsubscribe at"),
          ParameterSpec("subscription", .text, optional: true, help: "The name of the subscription"),
          ParameterSpec("items", .list(of: .text), optional: true, help: "The items it is about"),
          ParameterSpec("send", .text, optional: true, help: "The output that a message was sent to"),
          ParameterSpec("message", .anything, optional: true, help: "The message that was sent"),
          ParameterSpec("publish", .text, optional: true, help: "The output that a value was published to"),
          ParameterSpec("value", .anything, optional: true, help: "The value that was published"),
          ParameterSpec("http", .text, optional: true, help: "The URL of an HTTP request"),
          ParameterSpec("method", .text, optional: true, help: "The request's method"),
          ParameterSpec("headers", .map(of: .text), optional: true, help: "The request's header fields"),
          ParameterSpec("body", .anything, optional: true, help: "The request's body"),
          ParameterSpec("key", .text, optional: true, help: "The key that asked for the request"),
        ], help: "What must match")
    ], "Claims the next effect", "t.effect { send = \"btc\", message = { op = \"ping\" } }")

  static let emitted = claim(
    "emitted",
    [
      ParameterSpec("topic", .text, help: "The topic"),
      ParameterSpec("value", .anything, optional: true, help: "The message that was handed on"),
      .options(
        optional: true,
        fields: [ParameterSpec("script", .text, optional: true, help: "The script it came from")],
        help: "Which message"),
    ], "Claims that a message was handed on", "t.emitted(\"bars\", { symbol = \"BTC\", close = 1 })")

  static let log = claim(
    "log",
    [
      ParameterSpec(
        "level", .choice(LogLevel.allCases.map(\.name)), optional: true, help: "The line's level"),
      ParameterSpec("text", .text, help: "The line's text, or a part of it"),
    ], "Claims the next line of the log", "t.log(\"warn\", \"no price\")")

  static let error = claim(
    "error", [ParameterSpec("text", .text, help: "The error's text, or a part of it")],
    "Claims that a handler failed", "t.error(\"expected a number\")")

  private static let alertFields = [
    ParameterSpec("rule", .text, optional: true, help: "The rule, or the name given to alert.send"),
    ParameterSpec("name", .text, optional: true, help: "The same as rule"),
    ParameterSpec("text", .text, optional: true, help: "What the alert says"),
    ParameterSpec("key", .text, optional: true, help: "Whose alert it is"),
    ParameterSpec(
      "severity", .choice(Severity.allCases.map(\.name)), optional: true, help: "How much it matters"),
    ParameterSpec("script", .text, optional: true, help: "The script it came from"),
    ParameterSpec("kind", .text, optional: true, help: "Whether it fires, reminds or resolves"),
    ParameterSpec("time", .integer, optional: true, help: "When it happened, in milliseconds since 1970 UTC"),
    ParameterSpec("labels", .map(of: .text), optional: true, help: "What goes along"),
  ]
  private static let value = ParameterSpec("value", .number, optional: true, help: "The value in hand")
  private static let to = ParameterSpec(
    "to", .either([.text, .list(of: .text)]), optional: true, help: "The channels it went to")

  private static func claim(
    _ name: String, _ parameters: [ParameterSpec], _ summary: String, _ example: String
  ) -> FunctionSpec {
    FunctionSpec("t.\(name)", parameters: parameters, summary: summary, example: example, files: [.test])
  }
}

extension ClaimKind {
  /// The declaration of the claim's function.
  var spec: FunctionSpec {
    switch self {
    case .alert: .alert
    case .resolved: .resolved
    case .log: .log
    case .effect: .effect
    case .emitted: .emitted
    case .delivered: .delivered
    case .error: .error
    }
  }

  /// The fields that the claim may name.
  var fields: Set<String> {
    Set(spec.parameters.filter { $0.type.members.isEmpty }.map(\.name)).union(spec.optionNames)
  }
}
