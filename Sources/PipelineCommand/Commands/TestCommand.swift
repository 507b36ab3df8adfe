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
    ],
    details: [
      "PATH is a test file or a folder that is searched for them; without one it is the current folder. It ends "
        + "with 1 when a test fails."
    ],
    examples: ["pipeline test", "pipeline test examples --format junit --output report.xml"]
  ) { arguments, console in
    let report = await TestSuite.run(files: arguments.operands.isEmpty ? ["."] : arguments.operands)
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
