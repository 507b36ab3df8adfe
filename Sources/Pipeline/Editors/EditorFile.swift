/// One file that tells editors and linters what Lua files can call.
package struct EditorFile: Sendable, Hashable {
  /// The path from the folder of the Lua files.
  package let path: String
  package let text: String
  /// The line or lines that only this program begins a file with, by which it knows its own; nil where the format
  /// has no place for one.
  package let mark: String?

  /// Whether a text of this path may be written over without losing what somebody wrote.
  package func mayReplace(_ other: String) -> Bool { mark.map(other.hasPrefix) ?? false }

  /// All of them, written from the declarations of a registry.
  package static func all(_ registry: Registry) -> [EditorFile] {
    let annotations = LuaAnnotations(registry)
    return [
      EditorFile(path: "types/pipeline.lua", text: annotations.text, mark: LuaAnnotations.mark),
      EditorFile(path: ".luarc.json", text: languageServer, mark: nil),
      EditorFile(path: ".luacheckrc", text: LuacheckStandard(registry).text, mark: LuacheckStandard.mark),
    ]
  }

  /// The settings of the Lua language server: which Lua, without the libraries that scripts don't have, and where
  /// the types are.
  private static let languageServer: String = {
    let libraries = ["coroutine", "debug", "io", "os", "math", "string", "table", "utf8"]
    let missing = libraries.filter { library in !LuaLibrary.names.contains { $0.hasPrefix("\(library).") } }
    let disabled = missing.map { "    \"\($0)\": \"disable\"" }.joined(separator: ",\n")
    return """
      {
        "$schema": "https://raw.githubusercontent.com/LuaLS/vscode-lua/master/setting/schema.json",
        "runtime.version": "Lua 5.4",
        "runtime.builtin": {
      \(disabled)
        },
        "workspace.library": ["types"],
        "workspace.checkThirdParty": false
      }

      """
  }()
}
