extension FunctionSpec {
  /// Alerts, what a script hands on, and its log.
  static let alerts = [params, alertRule, ruleCheck, alertSend, emit] + LogLevel.allCases.map(log)

  static let params = FunctionSpec(
    "params",
    parameters: [ParameterSpec("defaults", .map(of: .anything), help: "A table of names and defaults")],
    returns: Result(
      .same(as: "defaults"), "the table with the configuration's values in place of the defaults"),
    summary: "Declares the parameters of the script", example: "local p = params { level = 70000 }",
    phase: .loading)

  static let alertRule = FunctionSpec(
    "alert.rule",
    parameters: [
      .options(
        fields: AlertRule.options.map(ParameterSpec.init), help: "One condition, and what goes with it")
    ],
    returns: Result(.named(TypeSpec.rule.name), "a rule to check in handlers"),
    summary: "Declares a rule, once, while the script loads",
    example: "local over = alert.rule { name = \"over\", crosses_above = 70000 }", phase: .loading)

  static let ruleCheck = FunctionSpec(
    "rule:check",
    parameters: [
      ParameterSpec("value", .number, optional: true, help: "A number; nil and json.null change nothing"),
      ParameterSpec(
        "data", .anything, optional: true,
        help:
          "What the text function gets besides; where an alert falls due later, as with for_duration, it gets "
          + "that of the last check, up to 4,096 bytes as JSON"),
    ], summary: "Gives a value of the key in hand to the rule", example: "over:check(state.price)",
    phase: .handling)

  static let alertSend = FunctionSpec(
    "alert.send",
    parameters: [
      .options(fields: alertOptions.map(ParameterSpec.init), help: "What the alert says, and how it is known")
    ],
    summary: "Sends an alert without a rule",
    example: "alert.send { name = \"halted\", text = \"trading halted\" }", phase: .handling, isEffect: true)

  /// The options of `alert.send`.
  static let alertOptions: [OptionSpec] = [
    OptionSpec("name", .text, required: true, help: "What the alert is called in routes and storage."),
    OptionSpec("text", .text, required: true, help: "What the alert says."),
    OptionSpec(
      "severity", .choice(Severity.allCases.map(\.name)), default: "\"info\"", help: "How much it matters."),
    OptionSpec("key", .text, default: "the key in hand", help: "Whose alert it is."),
    OptionSpec("labels", .labels, default: "{}", help: "Names and texts that go along."),
  ]

  static let emit = FunctionSpec(
    "emit",
    parameters: [
      ParameterSpec("topic", .text, help: "The name under which other scripts take it in"),
      ParameterSpec("value", .anything, help: "Plain data, the message that they get"),
    ],
    summary:
      "Hands a message to the scripts that this one feeds, once its handler has succeeded; one message of a source may "
      + "lead to 10,000 among scripts that topics connect, and what goes beyond is quarantined",
    example: "emit(\"bars\", { symbol = ctx.key, close = state.close })", phase: .handling, isEffect: true)

  static func log(_ level: LogLevel) -> FunctionSpec {
    FunctionSpec(
      "log.\(level.name)",
      parameters: [
        ParameterSpec("values", .anything, repeats: true, help: "Texts or values, joined by blanks")
      ], summary: "Writes a line of the level '\(level.name)' to the log",
      example: "log.\(level.name)(\"the price is\", state.price)", isEffect: true)
  }
}
