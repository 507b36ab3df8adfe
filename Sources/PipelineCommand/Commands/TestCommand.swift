import Pipeline
import ScriptTesting

extension Command {
  /// `test`: runs the tests of scripts.
  static let test = Command(
    name: "test", summary: "Runs the tests of scripts, files named *_test.lua",
    operands: [Operand(name: "PATH", isOptional: true, repeats: true)],
    options: [
      OptionDeclaration(
        "format", .choice(["text", "junit"]), "how results are written, 'text' if not given"),
      OptionDeclaration(
        "output", .text(placeholder: "FILE"), "a new file for the results, in place of standard output"),
      OptionDeclaration(
        "seed", .count(0...Int64.max), "what the order of the tests is made from; a failed run tells its own"),
      OptionDeclaration("coverage", .flag, "shows which lines of the scripts the tests ran"),
      OptionDeclaration(
        "coverage-output", .text(placeholder: "FILE"),
        "a new file for the lines that ran, in the form of lcov"),
    ],
    details: [
      "PATH is a test file or a folder that is searched for them; without one it is the current folder. It ends "
        + "with 1 when a test fails.",
      "Tests run in another order each time, and each handler runs twice from the same state: one that does something "
        + "else the second time keeps state outside of M.state, which fails the test by its name.",
    ],
    examples: [
      "pipeline test --coverage", "pipeline test --seed 81723", "pipeline test",
      "pipeline test examples --format junit --output report.xml",
    ]
  ) { arguments, console in
    var report = await TestSuite.run(
      files: arguments.operands.isEmpty ? ["."] : arguments.operands, registry: console.registry,
      seed: arguments.count("seed").map { UInt64($0) },
      coversLines: arguments.has("coverage") || arguments.text("coverage-output") != nil)
    if let path = arguments.text("coverage-output"), let coverage = report.coverage {
      do throws(FileError) {
        try TextFile.create(path, CoverageReport(coverage).lcov)
      } catch {
        console.complain("\(error)")
        return .wrongUsage
      }
    }
    if !arguments.has("coverage") { report.coverage = nil }
    let code = ExitCode(rawValue: report.exitStatus) ?? .failure
    let text = arguments.text("format") == "junit" ? report.junit : report.text
    guard let path = arguments.text("output") else { return console.print(text, orEndWith: code) ?? code }
    do throws(FileError) {
      try TextFile.create(path, text)
      console.note(report.summary)
      return code
    } catch {
      console.complain("\(error)")
      return .wrongUsage
    }
  }
}
