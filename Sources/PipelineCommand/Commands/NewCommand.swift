import Glibc
import Pipeline

extension Command {
  /// `new`: makes a folder to start from.
  static let new = Command(
    name: "new", summary: "Makes a folder with a configuration, a script and its test",
    operands: [Operand(name: "DIR")],
    options: [
      OptionDeclaration(
        "plugin", .flag,
        "makes a plugin: a script with its test and README, which configurations name by its folder")
    ],
    details: ["The folder is made if it is missing. Nothing that exists is overwritten."],
    examples: ["pipeline new btc", "pipeline new --plugin plugins/threshold"]
  ) { arguments, console in
    var folder = arguments.operands[0]
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    let isPlugin = arguments.has("plugin")
    let name = folder.split(separator: "/").last.map(String.init) ?? folder
    let template = isPlugin ? ProjectTemplate.plugin(named: name) : ProjectTemplate.files
    let files = template.map { (path: "\(folder)/\($0.name)", text: $0.text) }
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
    text +=
      isPlugin
      ? "next: pipeline test \(folder); a configuration names it by plugin = \"\(folder)\"\n"
      : "next: pipeline test \(folder); pipeline run \(folder)/config.lua\n"
    return console.print(text) ?? .success
  }
}
