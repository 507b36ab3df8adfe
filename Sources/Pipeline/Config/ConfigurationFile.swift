package import Scripting

/// A configuration's Lua, run in a sandbox in which constructors make plain data.
package enum ConfigurationFile {
  /// Runs the file and returns what it says, with the constructors' names and lines in it.
  ///
  /// - Throws: ``ScriptFailure`` when it can't be run, ``FileError`` when it can't be read.
  package static func evaluate(_ path: String, registry: Registry) throws -> Value {
    let file = try ScriptFile(path: path, name: path)
    return try evaluate(file, registry: registry)
  }

  /// Runs a file that is at hand.
  package static func evaluate(_ file: ScriptFile, registry: Registry) throws(ScriptFailure) -> Value {
    try machine(file, registry: registry).result
  }

  /// A machine that has run a file, and keeps the functions in it.
  ///
  /// - Parameter variables: gives the texts of environment variables to `env`; without it `env` gives references.
  static func machine(
    _ file: ScriptFile, registry: Registry, variables: RevealedVariables? = nil
  ) throws(ScriptFailure) -> ScriptMachine {
    var limits = MachineLimits()
    limits.steps = 50_000_000
    limits.milliseconds = 10_000
    limits.memoryBytes = 64 << 20
    var functions = registry.components.map { spec in
      HostFunction(spec.constructor, phase: .always) { arguments, call throws(HostFunctionError) in
        guard arguments.count == 1 else {
          throw HostFunctionError("expected one table of options, as in \(spec.example)")
        }
        return [
          "$component": .text(spec.constructor), "$line": .integer(Int64(call.line)),
          "$fields": arguments[0] == .list([]) ? .map([:]) : arguments[0],
        ]
      }
    }
    functions.append(
      HostFunction(.environment) { arguments, call throws(HostFunctionError) in
        guard let name = arguments.first?.text, !name.isEmpty else {
          throw HostFunctionError("expected the name of an environment variable, as in env \"TOKEN\"")
        }
        if let text = variables?.text(of: name) { return .text(text) }
        // While the file loads it may stand for something else than the function in hand.
        guard variables == nil || call.isLoading else {
          throw HostFunctionError("the environment variable \(name) is not set; set it before the start")
        }
        return ["$env": .text(name), "$line": .integer(Int64(call.line))]
      })
    functions.append(
      HostFunction(.preset) { arguments, call throws(HostFunctionError) in
        try FunctionSpec.makePreset(arguments, line: call.line)
      })
    functions += FunctionSpec.signatures.map { $0.make() }
    guard let machine = ScriptMachine(profile: .configuration, limits: limits, functions: functions) else {
      throw ScriptFailure(reason: "\(file.name): no memory for the configuration")
    }
    machine.setPrelude(FunctionSpec.presetPrelude)
    for (module, source) in file.modules.sorted(by: { $0.key < $1.key }) {
      machine.addModule(module, source: source)
    }
    try machine.load(file.source, name: file.name)
    return machine
  }
}
