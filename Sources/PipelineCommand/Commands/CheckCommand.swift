import Pipeline

extension Command {
  /// `check`: looks for faults without connecting to anything.
  static let check = Command(
    name: "check", summary: "Reports every fault of a configuration and its scripts",
    operands: [Operand(name: "CONFIG")],
    options: [OptionDeclaration("strict", .flag, "ends with 2 when there are warnings, too")],
    details: [
      "Nothing is connected. Each finding is one line with its place: file and line, or the path of the option. It "
        + "ends with 0 when all is well, also with warnings, and with 2 otherwise.",
      "Scripts are looked through for what runs and is probably not meant: text compared as numbers, json.null taken "
        + "for false, an assignment to state itself, names that nobody declared. Such lines say 'warning'.",
    ],
    examples: ["pipeline check config.lua", "pipeline check config.lua --strict"]
  ) { arguments, console in
    let path = arguments.operands[0]
    let (assembly, loading) = Assembly.load(path, registry: .builtIn)
    var findings = loading
    if let assembly { findings.add(assembly.configuration.componentFaults(.builtIn)) }
    guard findings.isEmpty, let assembly else {
      return console.print(findings.description + "\n", orEndWith: .wrongUsage) ?? .wrongUsage
    }
    let warnings = assembly.allWarnings()
    var text = warnings.map { "\($0)\n" }.joined()
    if !warnings.isEmpty, arguments.has("strict") {
      text += "\(path): \(counted(warnings.count, "warning")), and --strict allows none\n"
      return console.print(text, orEndWith: .wrongUsage) ?? .wrongUsage
    }
    text += "\(path): ok: \(assembly.summary)\n"
    return console.print(text) ?? .success
  }
}

extension Configuration {
  /// What shows only when sources, channels and storage are made from their options.
  fileprivate func componentFaults(_ registry: Registry) -> Findings {
    var findings = Findings()
    for component in Array(sources.values) + Array(channels.values) + [storage].compactMap({ $0 }) {
      do {
        _ = try registry.make(component, as: (any Sendable).self)
      } catch let error as RegistryError {
        findings.add(Place(file: file), error.description)
      } catch {
        findings.add(component.place, "\(error)")
      }
    }
    return findings
  }
}

extension Assembly {
  /// What the configuration is made of, in one line.
  fileprivate var summary: String {
    [
      counted(configuration.sources.count, "source"), counted(wiring.runners.count, "script"),
      counted(wiring.runners.reduce(0) { $0 + $1.rules.count }, "rule"),
      counted(configuration.channels.count, "channel"),
    ].joined(separator: ", ")
  }
}

/// A number with its noun, as in `1 message` and `2 messages`.
func counted(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }
