import Scripting

/// The functions that a script calls and the host answers, each registered under its declaration.
struct ScriptFunctions {
  let session: ScriptSession

  /// The declarations of everything a script can call beyond Lua's own libraries.
  static let specs =
    FunctionSpec.alerts + FunctionSpec.effects + FunctionSpec.values + FunctionSpec.times
    + FunctionSpec.statistics

  /// All of them, bound to the session.
  var all: [HostFunction] {
    var functions = [params, sendAlert, emit] + effects + times
    for level in LogLevel.allCases { functions.append(log(level)) }
    return functions
  }

  private var params: HostFunction {
    HostFunction(.params) { [unowned session] arguments, _ throws(HostFunctionError) in
      guard arguments.count == 1, case .map(let defaults) = arguments[0] else {
        throw HostFunctionError(
          "expected a table of names and defaults, got \(Self.described(arguments.first))")
      }
      return try session.merged(defaults: defaults)
    }
  }

  private var sendAlert: HostFunction {
    HostFunction(.alertSend) {
      [unowned session] arguments, call throws(HostFunctionError) in
      do throws(InvalidOptions) {
        var reader = OptionReader(arguments.first ?? .null, specs: FunctionSpec.alertOptions)
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
    handOver(.emit, to: "the name of a topic", "a value") {
      session, topic, payload, call throws(HostFunctionError) in
      try session.emit(topic, payload, call: call)
    }
  }

  /// A function of a name and of what goes there.
  func handOver(
    _ spec: FunctionSpec, to name: String, _ noun: String,
    _ body: @escaping (ScriptSession, String, ScriptPayload, ScriptCall) throws(HostFunctionError) -> Void
  ) -> HostFunction {
    HostFunction(reading: spec) { [unowned session] arguments, call throws(HostFunctionError) in
      guard let target = arguments.text(at: 0), !target.isEmpty else {
        throw HostFunctionError("expected \(name), got \(Self.described(arguments.values.first))")
      }
      guard let json = arguments.json(at: 1) else {
        throw HostFunctionError("expected \(noun) behind it, got nothing")
      }
      try body(session, target, ScriptPayload(json: json, text: arguments.text(at: 1)), call)
      return nil
    }
  }

  private func log(_ level: LogLevel) -> HostFunction {
    HostFunction(.log(level)) {
      [unowned session] arguments, call throws(HostFunctionError) in
      let text = arguments.map { $0.text ?? $0.json }.joined(separator: " ")
      try session.log(level, text, call: call)
      return nil
    }
  }

  func action(_ arguments: [Value], at index: Int) throws(HostFunctionError) -> String {
    let name = try self.text(arguments.count > index ? arguments[index] : nil, "the name of an action")
    guard session.actions.contains(name) else {
      throw HostFunctionError(
        "M.actions has no '\(name)'; " + Suggestion.hint(for: name, among: session.actions.sorted()))
    }
    return name
  }

  /// The text at the start of the arguments, which must not be empty.
  func text(_ value: Value?, _ expected: String) throws(HostFunctionError) -> String {
    guard let text = value?.text, !text.isEmpty else {
      throw HostFunctionError("expected \(expected), got \(Self.described(value))")
    }
    return text
  }

  /// A duration longer than nothing.
  func duration(_ value: Value?) throws(HostFunctionError) -> Milliseconds {
    guard let text = value?.text else {
      let hint = value.map(MismatchHint.duration) ?? ""
      throw HostFunctionError("expected a duration such as \"10m\", got \(Self.described(value))\(hint)")
    }
    let duration: Milliseconds
    do throws(InvalidDuration) {
      duration = try Milliseconds(parsing: text)
    } catch {
      throw HostFunctionError("\(error)")
    }
    guard duration > .zero else {
      throw HostFunctionError("expected a duration longer than nothing, got \"\(text)\"")
    }
    return duration
  }

  /// An argument as error texts show it.
  static func described(_ value: Value?) -> String {
    value.map(LuaText.found) ?? "nothing"
  }
}
