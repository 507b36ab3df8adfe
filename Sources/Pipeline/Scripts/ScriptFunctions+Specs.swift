extension ScriptFunctions {
  /// The options of `alert.send`.
  static let sendOptions: [OptionSpec] = [
    OptionSpec("name", .text, help: "What the alert is called in routes and storage."),
    OptionSpec("text", .text, help: "What the alert says."),
    OptionSpec(
      "severity", .choice(Severity.allCases.map(\.name)), default: "\"info\"", help: "How much it matters."),
    OptionSpec("key", .text, default: "the key in hand", help: "Whose alert it is."),
    OptionSpec("labels", .labels, default: "{}", help: "Names and texts that go along."),
  ]

  /// The declarations of everything a script can call beyond Lua's own libraries.
  static let specs: [FunctionSpec] = [
    FunctionSpec(
      "params", parameters: [ParameterSpec("defaults", .anything, help: "A table of names and defaults")],
      returns: "the table with the configuration's values in place of the defaults",
      summary: "Declares the parameters of the script", example: "local p = params { level = 70000 }"),
    FunctionSpec(
      "alert.rule", parameters: [ParameterSpec("options", .anything, help: "A condition and its options")],
      returns: "a rule to check in handlers", summary: "Declares a rule, once, while the script loads",
      example: "local over = alert.rule { name = \"over\", crosses_above = 70000 }"),
    FunctionSpec(
      "rule:check",
      parameters: [
        ParameterSpec("value", .anything, help: "A number; nil changes nothing"),
        ParameterSpec("data", .anything, optional: true, help: "What the text function gets besides"),
      ], summary: "Gives a value of the key in hand to the rule", example: "over:check(state.price)"),
    FunctionSpec(
      "alert.send",
      parameters: [ParameterSpec("options", .anything, help: "name, text, severity, key, labels")],
      summary: "Sends an alert without a rule",
      example: "alert.send { name = \"halted\", text = \"trading halted\" }"),
    FunctionSpec(
      "emit",
      parameters: [
        ParameterSpec("topic", .field(.text), help: "The name under which other scripts take it in"),
        ParameterSpec("value", .anything, help: "Plain data, the message that they get"),
      ], summary: "Hands a message to the scripts that this one feeds, once its handler has succeeded",
      example: "emit(\"bars\", { symbol = ctx.key, close = state.close })"),
    FunctionSpec(
      "daily",
      parameters: [
        ParameterSpec("time", .field(.text), help: "The time of day, such as \"08:00\""),
        ParameterSpec(
          "zone", .field(.text), optional: true, help: "Such as \"Europe/Berlin\"; UTC if left out"),
      ], returns: "an entry of M.timers", summary: "Runs an action once a day",
      example: "M.timers = { summary = daily(\"08:00\", \"Europe/Berlin\") }"),
    FunctionSpec(
      "every",
      parameters: [
        ParameterSpec("duration", .field(.text), help: "How far apart, such as \"1m\""),
        ParameterSpec(
          "options", .anything, optional: true, help: "align = true for full minutes, hours and so on"),
      ], returns: "an entry of M.timers", summary: "Runs an action again and again",
      example: "M.timers = { close = every(\"1m\", { align = true }) }"),
    FunctionSpec(
      "effect.at",
      parameters: [
        ParameterSpec("time", .anything, help: "Milliseconds since 1970 UTC"),
        ParameterSpec("action", .field(.text), help: "A function of M.actions"),
        ParameterSpec("payload", .anything, optional: true, help: "What the action gets"),
      ], summary: "Runs an action at a time, or at once if it has passed; it replaces a pending one",
      example: "effect.at(time.parse(\"2026-12-31 18:00\", \"Europe/Berlin\"), \"close\")"),
    FunctionSpec(
      "effect.debounce",
      parameters: [
        ParameterSpec("duration", .field(.text), help: "How long it has to be quiet, such as \"2s\""),
        ParameterSpec("action", .field(.text), help: "A function of M.actions"),
        ParameterSpec("payload", .anything, optional: true, help: "What the action gets; the latest counts"),
      ], summary: "Runs an action once nothing has asked for it for a while",
      example: "effect.debounce(\"2s\", \"look_up\", { symbol = message.s })"),
    FunctionSpec(
      "effect.throttle",
      parameters: [
        ParameterSpec("duration", .field(.text), help: "The least span between two runs, such as \"1m\""),
        ParameterSpec("action", .field(.text), help: "A function of M.actions"),
        ParameterSpec("payload", .anything, optional: true, help: "What the action gets; the latest counts"),
      ], summary: "Runs an action at once, and then not again before a span is over",
      example: "effect.throttle(\"1m\", \"publish\", state.price)"),
    FunctionSpec(
      "effect.after",
      parameters: [
        ParameterSpec("duration", .field(.text), help: "How long from now, such as \"10m\""),
        ParameterSpec("action", .field(.text), help: "A function of M.actions"),
        ParameterSpec("payload", .anything, optional: true, help: "What the action gets"),
      ], summary: "Runs an action later; it replaces a pending one of the same action and key",
      example: "effect.after(\"30s\", \"remind\")"),
    FunctionSpec(
      "effect.cancel", parameters: [ParameterSpec("action", .field(.text), help: "A function of M.actions")],
      summary: "Drops the pending timer of an action and key", example: "effect.cancel(\"remind\")"),
    FunctionSpec(
      "effect.http",
      parameters: [
        ParameterSpec(
          "options", .anything, help: "url, method, headers, json or text, timeout, pace, reply, id")
      ],
      summary: "Sends an HTTP request; an action gets one reply: ok, status, headers, json or text, error",
      example: "effect.http { url = \"https://api.example.org/v1/\" .. ctx.key, reply = \"found\" }"),
    FunctionSpec(
      "effect.send",
      parameters: [
        ParameterSpec("output", .field(.text), help: "An output of the script, or the name of a source"),
        ParameterSpec("message", .anything, help: "A text, or plain data that is sent as JSON"),
      ],
      summary: "Sends a message to the server of a source, at most once and only while it is connected",
      example: "effect.send(\"btc\", { op = \"ping\" })"),
    FunctionSpec(
      "effect.publish",
      parameters: [
        ParameterSpec("output", .field(.text), help: "An output of the script, or the name of a channel"),
        ParameterSpec("value", .anything, help: "Plain data"),
      ], summary: "Publishes a value through a channel, at least once, such as a line of a file",
      example: "effect.publish(\"bars\", { symbol = ctx.key, close = state.close })"),
    FunctionSpec(
      "effect.connect", parameters: [ParameterSpec("source", .field(.text), help: "The name of a source")],
      summary: "Connects a source that is disconnected", example: "effect.connect(\"btc\")"),
    FunctionSpec(
      "effect.disconnect", parameters: [ParameterSpec("source", .field(.text), help: "The name of a source")],
      summary: "Disconnects a source until it is connected again", example: "effect.disconnect(\"btc\")"),
    FunctionSpec(
      "log.info", parameters: [ParameterSpec("text", .anything, help: "Texts or values, joined by blanks")],
      summary: "Writes a line to the log; also log.debug, log.warn, log.error",
      example: "log.info(\"first price\", state.price)"),
    FunctionSpec(
      "num", parameters: [ParameterSpec("value", .anything, help: "A number, or the text of one")],
      returns: "the value as a float", summary: "Makes a number of a text such as \"67123.45\"",
      example: "state.price = num(message.bitcoin)"),
    FunctionSpec(
      "each_key", returns: "an iterator over key and read-only state",
      summary: "Walks the states of all keys of the script",
      example: "for key, s in each_key() do total = total + s.price end"),
    FunctionSpec(
      "json.encode", parameters: [ParameterSpec("value", .anything, help: "Plain data")], returns: "text",
      summary: "Writes JSON, keys in order", example: "json.encode({ a = 1 })"),
    FunctionSpec(
      "json.decode", parameters: [ParameterSpec("text", .field(.text), help: "One JSON text")],
      returns: "plain data", summary: "Reads JSON", example: "json.decode(\"[1, 2]\")"),
    FunctionSpec(
      "json.array", parameters: [ParameterSpec("table", .anything, optional: true, help: "A list")],
      returns: "the table, which stays a list even when it is empty", summary: "Marks a table as a list",
      example: "json.array {}"),
    FunctionSpec(
      "time.now", returns: "milliseconds since 1970 UTC", summary: "Gives the time of the message in hand",
      example: "local since = time.now() - state.last_time"),
    FunctionSpec(
      "time.parse",
      parameters: [
        ParameterSpec("text", .field(.text), help: "A date, or a date and time (RFC 3339)"),
        ParameterSpec(
          "zone", .field(.text), optional: true, help: "Whose local time it is if it has no offset"),
      ], returns: "milliseconds since 1970 UTC", summary: "Reads a date and time",
      example: "time.parse(\"2026-12-31 18:30\", \"Europe/Berlin\")"),
    FunctionSpec(
      "time.format",
      parameters: [
        ParameterSpec("time", .anything, help: "Milliseconds since 1970 UTC"),
        ParameterSpec(
          "pattern", .field(.text), optional: true,
          help: "With %Y %m %d %H %M %S and so on; RFC 3339 if left out"),
        ParameterSpec("zone", .field(.text), optional: true, help: "UTC if left out"),
      ], returns: "text", summary: "Writes a date and time as strftime does",
      example: "time.format(time.now(), \"%H:%M\", \"Europe/Berlin\")"),
    FunctionSpec(
      "time.parts",
      parameters: [
        ParameterSpec("time", .anything, help: "Milliseconds since 1970 UTC"),
        ParameterSpec("zone", .field(.text), optional: true, help: "UTC if left out"),
      ],
      returns:
        "a table of year, month, day, hour, minute, second, weekday (1 is Monday), year_day and offset",
      summary: "Takes a time apart",
      example: "if time.parts(ctx.time, \"Europe/Berlin\").weekday > 5 then … end"),
  ]
}
