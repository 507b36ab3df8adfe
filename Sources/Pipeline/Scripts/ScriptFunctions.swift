import Scripting

/// The functions that a script calls and the host answers, each with its declaration.
struct ScriptFunctions {
  let session: ScriptSession

  /// All of them, bound to the session.
  var all: [HostFunction] {
    var functions: [HostFunction] = [params, send, emit, after, cancel, connect, disconnect]
    for level in LogLevel.allCases { functions.append(log(level)) }
    return functions
  }

  private var params: HostFunction {
    HostFunction("params", phase: .loading) { [unowned session] arguments, _ throws(HostFunctionError) in
      guard arguments.count == 1, case .map(let defaults) = arguments[0] else {
        throw HostFunctionError("expected a table of names and defaults, got \(described(arguments.first))")
      }
      return try session.merged(defaults: defaults)
    }
  }

  private var send: HostFunction {
    HostFunction("alert.send", isEffect: true) {
      [unowned session] arguments, call throws(HostFunctionError) in
      do throws(InvalidOptions) {
        var reader = OptionReader(arguments.first ?? .null, specs: Self.sendOptions)
        let name = reader.text("name")
        let text = reader.text("text")
        let severity = reader.choice("severity").flatMap(Severity.init(name:)) ?? .info
        let labels = reader.labels("labels") ?? [:]
        let key = reader.text("key")
        if !reader.has("name") { reader.report("name", expected: "a text") }
        if !reader.has("text") { reader.report("text", expected: "a text") }
        guard reader.findings.isEmpty else { throw InvalidOptions(findings: reader.findings) }
        session.send(
          name: name ?? "", text: text ?? "", severity: severity,
          key: key ?? session.machine?.keyName(call.key) ?? "", labels: labels, call: call)
      } catch {
        throw HostFunctionError(error.findings.joined(separator: "; "))
      }
      return nil
    }
  }

  private var emit: HostFunction {
    HostFunction("emit", isEffect: true) {
      [unowned session] arguments, call throws(HostFunctionError) in
      let topic = try text(arguments.first, "the name of a topic")
      guard arguments.count > 1 else {
        throw HostFunctionError("expected a value behind the topic, got nothing")
      }
      try session.emit(topic, arguments[1], call: call)
      return nil
    }
  }

  private var after: HostFunction {
    HostFunction("effect.after", isEffect: true) {
      [unowned session] arguments, call throws(HostFunctionError) in
      let span = try duration(arguments.first)
      let action = try self.action(arguments, at: 1)
      let name = ScriptTimer.Name(key: session.machine?.keyName(call.key) ?? "", action: action)
      let due = Timestamp(milliseconds: call.time) + span
      let payload = arguments.count > 2 ? arguments[2] : .null
      _ = try session.payload(payload, call: call)
      let timer = ScriptTimer(due: due, payload: payload)
      session.timers.set(name, to: timer, run: call.run)
      session.machine?.setDeadline(session.nextDue?.milliseconds ?? .max)
      return nil
    }
  }

  private var cancel: HostFunction {
    HostFunction("effect.cancel", isEffect: true) {
      [unowned session] arguments, call throws(HostFunctionError) in
      let action = try self.action(arguments, at: 0)
      let name = ScriptTimer.Name(key: session.machine?.keyName(call.key) ?? "", action: action)
      session.timers.set(name, to: nil, run: call.run)
      return nil
    }
  }

  private var connect: HostFunction {
    HostFunction("effect.connect", isEffect: true) {
      [unowned session] arguments, call throws(HostFunctionError) in
      session.ask(.connect(source: try text(arguments.first, "the name of a source")), run: call.run)
      return nil
    }
  }

  private var disconnect: HostFunction {
    HostFunction("effect.disconnect", isEffect: true) {
      [unowned session] arguments, call throws(HostFunctionError) in
      session.ask(.disconnect(source: try text(arguments.first, "the name of a source")), run: call.run)
      return nil
    }
  }

  private func log(_ level: LogLevel) -> HostFunction {
    HostFunction("log.\(level.name)", phase: .always, isEffect: true) {
      [unowned session] arguments, call throws(HostFunctionError) in
      let text = arguments.map { $0.text ?? $0.json }.joined(separator: " ")
      try session.log(level, text, call: call)
      return nil
    }
  }

  private func action(_ arguments: [Value], at index: Int) throws(HostFunctionError) -> String {
    let name = try text(arguments.count > index ? arguments[index] : nil, "the name of an action")
    guard session.actions.contains(name) else {
      throw HostFunctionError(
        "M.actions has no '\(name)'; " + Suggestion.hint(for: name, among: session.actions.sorted()))
    }
    return name
  }
}

private func text(_ value: Value?, _ expected: String) throws(HostFunctionError) -> String {
  guard let text = value?.text, !text.isEmpty else {
    throw HostFunctionError("expected \(expected), got \(described(value))")
  }
  return text
}

private func duration(_ value: Value?) throws(HostFunctionError) -> Milliseconds {
  guard let text = value?.text else {
    throw HostFunctionError("expected a duration such as \"10m\", got \(described(value))")
  }
  do throws(InvalidDuration) {
    return try Milliseconds(parsing: text)
  } catch {
    throw HostFunctionError("\(error)")
  }
}

private func described(_ value: Value?) -> String {
  guard let value else { return "nothing" }
  return value.text.map { "\"\($0.prefix(60))\"" } ?? value.kindName
}

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
  ]
}
