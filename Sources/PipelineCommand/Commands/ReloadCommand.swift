import Pipeline
import ScriptTesting
import Scripting

extension Command {
  /// `reload`: has a running host take its files anew.
  static let reload = Command(
    name: "reload",
    summary: "Has the running host take changed scripts and parameters over, and tells the result",
    operands: [Operand(name: "CONFIG")],
    options: [
      OptionDeclaration(
        "test", .flag, "runs the tests beside the scripts first, and reloads only if all pass"),
      .listFormat,
    ],
    details: [
      "A host reloads by itself when a file changes, and on SIGHUP. New scripts are loaded and checked beside those "
        + "that run, which go on until the states of all keys are copied: M.migrate makes them where M.state has "
        + "other fields. Rules, timers, cooldowns and requests under way go on. If anything is wrong, nothing is "
        + "reloaded and what ran before runs on, with the reason in the log, here, and in 'pipeline status'.",
      "Refused is what would lose something: a rule, an action that a timer or a request waits for, or M.key, unless "
        + "M.dropped names it. Scripts, their params, limits, outputs and hosts, what feeds them, and routes can be "
        + "reloaded; changed sources, channels and storage, and scripts that come or go, need a restart.",
      "Tests run only with --test: they take their time, and a host has feeds to follow. It ends with 1 when nothing "
        + "was reloaded because something is wrong, or no host runs.",
    ],
    examples: [
      "pipeline reload config.lua", "pipeline reload config.lua --test", "kill -HUP $(pidof pipeline)",
    ]
  ) { arguments, console in
    if arguments.has("test"), let code = await runTests(arguments.operands[0], console) { return code }
    return await onHost(arguments, console, .reload, timeout: .minutes(5)) { answer in
      let result = answer["reload"] ?? .null
      let isGood = result["ok"] == true
      let code = isGood ? ExitCode.success : .failure
      if arguments.writesJSON(to: console.output) {
        return console.print(result.json + "\n", orEndWith: code) ?? code
      }
      guard case .list(let lines)? = result["lines"] else { return .failure }
      var text = lines.compactMap(\.text).map { "\($0.printable)\n" }.joined()
      if !isGood { text += "nothing was reloaded; what ran before runs on\n" }
      return console.print(text, orEndWith: code) ?? code
    }
  }

  /// Runs the tests in the folders of the scripts; gives the code to end with if any fails.
  private static func runTests(_ file: String, _ console: Console) async -> ExitCode? {
    let (configuration, findings) = Assembly.readConfiguration(
      file, registry: console.registry, needsScripts: false)
    guard let configuration else { return console.refuse(findings) }
    let folders = Set(
      configuration.scripts.values.map { script in
        script.path.lastIndex(of: "/").map { String(script.path[..<$0]) } ?? "."
      })
    let files = folders.sorted().flatMap { folder in
      TextFile.names(in: folder).filter { $0.hasSuffix("_test.lua") }.map { "\(folder)/\($0)" }
    }
    guard !files.isEmpty else { return nil }
    let report = await TestSuite.run(files: files, registry: console.registry)
    guard report.exitStatus != 0 else { return nil }
    console.note(report.text)
    console.complain("the tests fail, so nothing was reloaded")
    return .failure
  }
}
