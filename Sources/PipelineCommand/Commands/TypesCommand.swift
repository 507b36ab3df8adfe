import Glibc
import Pipeline
import ScriptTesting

extension Command {
  /// `types`: tells editors what scripts can call.
  static let types = Command(
    name: "types", summary: "Writes what editors and linters need to know of scripts into a folder",
    operands: [Operand(name: "DIR")],
    options: [
      OptionDeclaration("force", .flag, "also writes over settings that may be somebody's own")
    ],
    details: [
      "It makes types/pipeline.lua and .luarc.json for the Lua language server, and .luacheckrc for luacheck. Run it "
        + "again after an update of the program. Settings that you wrote stay as they are."
    ],
    examples: ["pipeline types .", "pipeline types examples"]
  ) { arguments, console in
    let folder = arguments.operands[0]
    guard TextFile.isFolder(folder) else {
      console.complain("\"\(UsageError.shown(folder))\" is no folder; name the one that holds your scripts")
      return .wrongUsage
    }
    do throws(FileError) {
      try TextFile.makeFolder("\(folder)/types")
      var text = ""
      for file in EditorFile.all(console.registry.withTesting) {
        text += try write(file, in: folder, force: arguments.has("force")) + "\n"
      }
      return console.print(text) ?? .success
    } catch {
      console.complain("\(error)")
      return .failure
    }
  }

  /// Writes one file where that takes nothing from anybody; says what it did.
  private static func write(_ file: EditorFile, in folder: String, force: Bool) throws(FileError) -> String {
    let path = "\(folder)/\(file.path)"
    guard access(path, F_OK) == 0 else {
      try TextFile.create(path, file.text)
      return "made \(path)"
    }
    let present = try TextFile.read(path, maximumBytes: ScriptFile.maximumBytes)
    if present == file.text { return "\(path) is up to date" }
    guard force || file.mayReplace(present) else {
      return "kept \(path), which isn't as this program writes it; --force writes over it"
    }
    try TextFile.replace(path, file.text)
    return "updated \(path)"
  }
}
