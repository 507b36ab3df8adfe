extension Registry {
  /// The topics that `help(on:)` knows beside the names of components and functions.
  private static let sections =
    ComponentKind.allCases.map(\.section) + ["presets", "scripts", "functions", "api"]

  /// The help text on a topic: a section (`sources`), a component (`sources.websocket` or
  /// `source.websocket`), one of its options (`sources.websocket.ping`), `scripts` and their options
  /// (`scripts.limits`), `presets`, a preset (`presets.binance.trades`), `functions`, a function (`effect.after`), a
  /// type (`Rule`) or its variable (`ctx`), or `api` for all of it. At most 80 characters wide.
  ///
  /// - Throws: `UnknownTopic` for any other, with the nearest known one.
  public func help(on topic: String) throws(UnknownTopic) -> String {
    var help = HelpText()
    if topic == "api" { return reference }
    if topic == "functions" {
      help.heading("Functions for scripts")
      help.columns(functions(in: .script).map { ($0.signature, $0.summary) })
      for kind in LuaFileKind.allCases where kind != .script {
        let own = functions(in: kind).filter { !$0.files.contains(.script) }
        guard !own.isEmpty else { continue }
        help.heading("Functions for \(kind.rawValue)s")
        help.columns(own.map { ($0.signature, $0.summary) })
      }
      return help.text
    }
    if let kind = ComponentKind.allCases.first(where: { $0.section == topic || $0.rawValue == topic }) {
      help.heading("Components for \(kind.section)")
      let specs = specs(of: kind)
      help.columns(specs.map { ($0.constructor, $0.summary) })
      if specs.isEmpty { help.paragraph("There is none.") }
      if kind == .source, !presets.isEmpty { help.presets(presets) }
      return help.text
    }
    if topic == "presets" {
      help.presets(presets)
      return help.text
    }
    if let function = function(topic) {
      help.function(function)
      return help.text
    }
    if let constant = constants.first(where: { $0.name == topic }) {
      help.constant(constant)
      return help.text
    }
    if let type = types.first(where: { $0.topic == topic || $0.name == topic }) {
      help.type(type, functions: functions(of: type))
      return help.text
    }
    let parts = topic.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let preset = preset(topic) ?? (parts[0] == "presets" ? preset(parts[1...].joined(separator: ".")) : nil)
    if let preset, let base = spec(.source, preset.base) {
      help.preset(preset, base: base)
      return help.text
    }
    if parts[0] == "scripts" {
      try help.options(
        of: "scripts", ScriptConfiguration.fields, at: Array(parts[1...]), topic: topic,
        summary: "Scripts by name, each with what feeds it", example: ScriptConfiguration.example)
      return help.text
    }
    guard parts.count >= 2,
      let kind = ComponentKind.allCases.first(where: { $0.section == parts[0] || $0.rawValue == parts[0] }),
      let spec = spec(kind, parts[1])
    else { throw UnknownTopic(topic, known: topics) }
    try help.options(
      of: spec.constructor, spec.fields, at: Array(parts[2...]), topic: topic, summary: spec.summary,
      details: spec.details, example: spec.example)
    return help.text
  }

  /// Every topic that `help(on:)` knows, options left out; for completion and for suggestions.
  public var topics: [String] {
    Self.sections
      + ComponentKind.allCases.flatMap { kind in specs(of: kind).map { "\(kind.section).\($0.name)" } }
      + presets.map { "presets.\($0.name)" } + functions.map(\.name) + constants.map(\.name)
      + types.map(\.topic)
  }

  /// The declarations of the functions that files of a kind can call, sorted by name.
  package func functions(in kind: LuaFileKind) -> [FunctionSpec] {
    functions.filter { $0.files.contains(kind) }
  }

  /// The declarations of the functions that a type has, sorted by name.
  func functions(of type: TypeSpec) -> [FunctionSpec] {
    guard let variable = type.variable else { return [] }
    return functions.filter { $0.name.hasPrefix("\(variable).") || $0.name.hasPrefix("\(variable):") }
  }

  /// Everything that scripts, configurations and tests can use.
  private var reference: String {
    var help = HelpText()
    help.heading("SCRIPTS")
    for type in types { help.type(type, functions: functions(of: type)) }
    for constant in constants { help.constant(constant) }
    for function in functions(in: .script) { help.function(function) }
    help.heading("Lua's own libraries")
    help.paragraph(LuaLibrary.names.sorted().joined(separator: " "))
    help.heading("CONFIGURATIONS")
    for function in functions where function.files == [.configuration] { help.function(function) }
    help.component(
      "scripts", summary: "Scripts by name, each with what feeds it", fields: ScriptConfiguration.fields,
      example: ScriptConfiguration.example)
    for spec in components {
      help.component(
        spec.constructor, summary: spec.summary, details: spec.details, fields: spec.fields,
        example: spec.example)
    }
    for preset in presets {
      if let base = spec(.source, preset.base) { help.preset(preset, base: base) }
    }
    help.heading("TESTS")
    for function in functions where function.files == [.test] { help.function(function) }
    return help.text
  }
}

extension HelpText {
  /// Adds everything about a component, or one of its options where a path is given.
  fileprivate mutating func options(
    of owner: String, _ fields: [FieldSpec], at path: [String], topic: String, summary: String,
    details: [String] = [], example: String
  ) throws(UnknownTopic) {
    guard !path.isEmpty else {
      component(owner, summary: summary, details: details, fields: fields, example: example)
      return
    }
    let path = path.joined(separator: ".")
    let all = Self.flattened(fields, in: "")
    guard let field = all.first(where: { $0.path == path }) else {
      let prefix = topic.dropLast(path.count)
      throw UnknownTopic(topic, known: all.map { prefix + $0.path })
    }
    heading(owner)
    self.field(field.spec, path: field.path)
    self.fields(field.spec.type.members, in: "\(field.path).")
  }

  private static func flattened(_ fields: [FieldSpec], in path: String) -> [(path: String, spec: FieldSpec)] {
    fields.flatMap { field in
      var all = [(path: path + field.name, spec: field)]
      all += flattened(field.type.members, in: "\(path)\(field.name).")
      return all
    }
  }
}

/// A topic that help doesn't know.
public struct UnknownTopic: Error, Hashable, CustomStringConvertible {
  /// The topic, and the nearest one that is known.
  public let description: String

  init(_ topic: String, known: [String]) {
    description =
      "there is no help on '\(LuaText.escaped(topic, limit: 60))'; \(Suggestion.hint(for: topic, among: known))"
  }
}
