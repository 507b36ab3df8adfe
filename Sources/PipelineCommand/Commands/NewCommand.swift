import Glibc
import Pipeline

extension Command {
  /// `new`: makes a folder to start from.
  static let new = Command(
    name: "new", summary: "Makes a folder with a configuration, a script and its test",
    operands: [Operand(name: "DIR")],
    details: ["The folder is made if it is missing. Nothing that exists is overwritten."],
    examples: ["pipeline new btc"]
  ) { arguments, console in
    let folder = arguments.operands[0]
    let files = ProjectTemplate.files.map { (path: "\(folder)/\($0.name)", text: $0.text) }
    if let taken = files.first(where: { access($0.path, F_OK) == 0 }) {
      console.complain("\"\(UsageError.shown(taken.path))\" exists already; choose another folder")
      return .wrongUsage
    }
    do throws(FileError) {
      try TextFile.makeFolder(folder)
      for file in files { try TextFile.create(file.path, file.text) }
    } catch {
      console.complain("\(error)")
      return .failure
    }
    var text = files.map { "made \($0.path)\n" }.joined()
    text += "next: pipeline test \(folder); pipeline run \(folder)/config.lua\n"
    return console.print(text) ?? .success
  }
}
