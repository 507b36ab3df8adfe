import Scripting

extension Assembly {
  /// What the scripts do that is allowed and probably not meant, and what the configuration does, one line each with
  /// its place.
  package func allWarnings() -> [String] {
    warnings + inspectScripts().map { "\($0.place): warning: \($0.message)" }
  }

  /// Looks through the scripts and the modules they require.
  private func inspectScripts() -> [Finding] {
    var findings: [Finding] = []
    for name in configuration.scriptOrder {
      guard let script = configuration.scripts[name], let file = files[name],
        let runner = wiring.runners.first(where: { $0.name == name })
      else { continue }
      findings += ScriptInspection.inspect(
        file, path: script.path, subject: ScriptInspection.Subject(of: runner, script, in: configuration))
    }
    // Scripts may share a file.
    return Set(findings).sorted()
  }
}

extension ScriptInspection {
  /// Inspects a script and the modules it requires, directly or not.
  static func inspect(_ file: ScriptFile, path: String, subject: Subject) -> [Finding] {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let script = ScriptInspection(file.source, file: path, subject: subject)
    var findings = script.findings
    var waiting = script.modules
    var seen: Set<String> = []
    while let module = waiting.popLast() {
      guard seen.insert(module).inserted, let source = file.modules[module] else { continue }
      let inspection = ScriptInspection(
        source, file: "\(folder)\(module.replacing(".", with: "/")).lua", subject: subject)
      findings += inspection.findings
      waiting += inspection.modules
    }
    return findings
  }
}

extension ScriptInspection.Subject {
  /// What is known of a script that was loaded.
  init(of runner: ScriptRunner, _ script: ScriptConfiguration, in configuration: Configuration) {
    if case .map(let fields)? = runner.declarations["state"] {
      nullFields = Set(fields.filter { $0.value == .null }.keys)
    }
    readsSources = script.inputs.values.contains { if case .source = $0 { true } else { false } }
    for origin in script.inputs.values {
      guard case .source(let name) = origin else { continue }
      numbers.formUnion(configuration.sources[name]?.messageOptions?.numbers.map(\.text) ?? [])
    }
    globals = Self.everyGlobal
  }

  /// Everything that scripts can reach by name.
  static let everyGlobal = LuaLibrary.names.union(
    ScriptFunctions.specs.map(\.name).filter { !$0.contains(":") }
  )
  .union([ConstantSpec.null.name])
}
