import Pipeline
import ScriptTesting

extension Command {
  /// `check`: looks for faults without connecting to anything.
  static let check = Command(
    name: "check", summary: "Reports every fault of a configuration and its scripts",
    operands: [Operand(name: "CONFIG")],
    options: [
      OptionDeclaration("strict", .flag, "allows no warning, and runs the tests beside the scripts, too")
    ],
    details: [
      "Nothing is connected. Each finding is one line with its place: file and line, or the path of the option. It "
        + "ends with 0 when all is well, also with warnings, and with 2 otherwise.",
      "Scripts are looked through for what runs and is probably not meant: text compared as numbers, json.null taken "
        + "for false, an assignment to state itself, names that nobody declared. Such lines say 'warning'.",
      "With --strict the tests in the folders of the configuration and its scripts (*_test.lua) are run as well. They "
        + "run each handler twice from the same state, which finds what a script keeps in locals, upvalues and globals "
        + "instead of M.state: such things are not stored, and not undone when a handler fails.",
    ],
    examples: ["pipeline check config.lua", "pipeline check config.lua --strict"]
  ) { arguments, console in
    let path = arguments.operands[0]
    let (assembly, loading) = Assembly.load(path, registry: console.registry)
    var findings = loading
    if let assembly { findings.add(assembly.configuration.componentFaults(console.registry)) }
    guard findings.isEmpty, let assembly else {
      return console.print(findings.description + "\n", orEndWith: .wrongUsage) ?? .wrongUsage
    }
    let warnings = assembly.allWarnings()
    var text = warnings.map { "\($0)\n" }.joined()
    if !warnings.isEmpty, arguments.has("strict") {
      text += "\(path): \(counted(warnings.count, "warning")), and --strict allows none\n"
      return console.print(text, orEndWith: .wrongUsage) ?? .wrongUsage
    }
    if arguments.has("strict") {
      let files = assembly.testFiles(besides: path)
      let report = await TestSuite.run(files: files)
      guard files.isEmpty || report.exitStatus == 0 else {
        text += report.text + "\(path): the tests fail, and --strict allows none that does\n"
        return console.print(text, orEndWith: .wrongUsage) ?? .wrongUsage
      }
      console.note(
        files.isEmpty
          ? "no file *_test.lua is beside the scripts, so no handler was run to look for hidden state"
          : "tests: \(report.summary)")
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
  /// The tests in the folders of the configuration and of its scripts.
  fileprivate func testFiles(besides path: String) -> [String] {
    var folders: [String] = []
    for file in [path] + files.values.map(\.name).sorted() {
      let folder = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? ""
      if !folders.contains(folder) { folders.append(folder) }
    }
    return folders.flatMap { TestSuite.files(in: $0) }
  }

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
