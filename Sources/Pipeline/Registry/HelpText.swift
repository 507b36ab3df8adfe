/// Help written from declarations, at most 80 characters wide.
struct HelpText {
  /// The width of a line in characters.
  static let width = 80

  var lines: [String] = []

  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Adds a heading, with an empty line before it.
  mutating func heading(_ text: String) {
    if !lines.isEmpty { lines.append("") }
    lines.append(text)
  }

  /// Adds text, broken at blanks; a word wider than the line stays whole.
  mutating func paragraph(_ text: String, indent: Int = 2) {
    lines += Self.wrapped(text, first: String(repeating: " ", count: indent), indent: indent)
  }

  /// Adds text as it stands, such as an example.
  mutating func verbatim(_ text: String, indent: Int = 2) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(line.isEmpty ? "" : String(repeating: " ", count: indent) + line)
    }
  }

  /// Adds names with their explanations in a second column.
  mutating func columns(_ rows: [(name: String, text: String)]) {
    let column = min(rows.map(\.name.count).max() ?? 0, 24) + 4
    for (name, text) in rows {
      let start = "  " + name
      if start.count + 2 > column {
        lines.append(start)
        paragraph(text, indent: column)
      } else {
        let padding = String(repeating: " ", count: column - start.count)
        lines += Self.wrapped(text, first: start + padding, indent: column)
      }
    }
  }

  private static func wrapped(_ text: String, first: String, indent: Int) -> [String] {
    var lines: [String] = []
    var line = first
    var isStart = true
    for word in text.split(separator: " ") {
      if !isStart, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: indent)
        isStart = true
      }
      line += isStart ? word : " " + word
      isStart = false
    }
    if !isStart { lines.append(line) }
    return lines
  }
}

extension HelpText {
  /// Adds everything about a component.
  mutating func component(
    _ name: String, summary: String, details: [String] = [], fields: [FieldSpec], example: String
  ) {
    heading(name)
    paragraph(summary + ".")
    for detail in details {
      lines.append("")
      paragraph(detail)
    }
    if !fields.isEmpty {
      heading("Options")
      self.fields(fields)
    }
    heading("Example")
    verbatim(example)
  }

  /// Adds options, those of tables after their table with dotted names.
  mutating func fields(_ fields: [FieldSpec], in path: String = "") {
    for field in fields {
      self.field(field, path: path + field.name)
      self.fields(field.type.members, in: "\(path)\(field.name).")
    }
  }

  /// Adds one option: name, type and default, then what it does.
  mutating func field(_ field: FieldSpec, path: String) {
    var facts = [field.type.label]
    if let unit = field.unit { facts.append(unit) }
    if field.isRequired { facts.append("required") }
    if let value = field.defaultValue, LuaText.write(value) != "{}" {
      facts.append("default \(LuaText.write(value))")
    }
    lines.append("  \(path) (\(facts.joined(separator: ", ")))")
    paragraph(field.help + ".", indent: 6)
    if let accepted = field.type.accepted { paragraph(accepted, indent: 6) }
    if let example = field.example {
      paragraph("Example: \(field.name) = \(LuaText.write(example))", indent: 6)
    }
  }

  /// Adds everything about a script function.
  mutating func function(_ function: FunctionSpec) {
    heading(function.signature)
    paragraph(function.summary + ".")
    if let returns = function.returns { paragraph("Returns \(returns.help).") }
    if let rule = function.rule { paragraph(rule) }
    if !function.parameters.isEmpty { heading("Parameters") }
    for parameter in function.parameters {
      lines += Self.wrapped(
        "\(parameter.name) (\(parameter.facts.joined(separator: ", ")))", first: "  ", indent: 4)
      paragraph(parameter.help + ".", indent: 6)
      members(parameter.type.members, path: "\(parameter.name).") { $0.memberFacts }
    }
    heading("Example")
    verbatim(function.example)
  }

  /// Adds everything about a type with a name.
  mutating func type(_ type: TypeSpec, functions: [FunctionSpec]) {
    heading(type.variable.map { "\($0) (\(type.name))" } ?? type.name)
    paragraph(type.summary + ".")
    if !type.members.isEmpty { heading("Members") }
    members(type.members, path: "") { $0.facts }
    if !functions.isEmpty { heading("Functions") }
    columns(functions.map { ($0.signature, $0.summary) })
    guard let example = type.example else { return }
    heading("Example")
    verbatim(example)
  }

  /// Adds everything about a global that is no function.
  mutating func constant(_ constant: ConstantSpec) {
    heading(constant.name)
    paragraph(constant.summary + ".")
    heading("Example")
    verbatim(constant.example)
  }

  private mutating func members(
    _ members: [ParameterSpec], path: String, facts: (ParameterSpec) -> [String]
  ) {
    for member in members {
      lines += Self.wrapped(
        "\(path)\(member.name) (\(facts(member).joined(separator: ", ")))", first: "  ", indent: 4)
      paragraph(member.help + ".", indent: 6)
      self.members(member.type.members, path: "\(path)\(member.name).", facts: facts)
    }
  }
}

extension FunctionSpec {
  /// When it can be called and what it counts as, where that isn't always and nothing.
  fileprivate var rule: String? {
    switch (phase, isEffect) {
    case (.loading, _): "Only while the script loads."
    case (.handling, true): "Only in handlers; it counts as an effect."
    case (.handling, false): "Only in handlers."
    case (.always, true): "It counts as an effect."
    case (.always, false): nil
    }
  }
}

extension ParameterSpec {
  /// The type and what goes with it, as a parameter shows them.
  fileprivate var facts: [String] {
    var facts = [type.label]
    if let unit { facts.append(unit) }
    if repeats { facts.append("any number of them") }
    if isOptional { facts.append("optional") }
    return facts
  }

  /// The type and what goes with it, as a member of a table shows them.
  fileprivate var memberFacts: [String] {
    var facts = [type.label]
    if let unit { facts.append(unit) }
    if !isOptional { facts.append("required") }
    if let fallback, fallback != "{}" { facts.append("default \(fallback)") }
    return facts
  }
}

extension FieldType {
  /// A sentence about the values accepted, where the name of the type doesn't say it all.
  fileprivate var accepted: String? {
    switch self {
    case .choice, .url: "Expected: \(expectation)."
    case .integer(let range) where range != Int64.min...Int64.max: "Expected: \(expectation)."
    case .number(let range) where range != -Double.infinity...Double.infinity: "Expected: \(expectation)."
    default: nil
    }
  }
}
