import Pipeline
import Scripting

extension Command {
  /// `state`: shows what scripts know of their keys.
  static let state = Command(
    name: "state", summary: "Shows the stored state of a script, of all its keys or of one",
    operands: [Operand(name: "CONFIG"), Operand(name: "KEY", isOptional: true)],
    options: [
      OptionDeclaration("script", .text(placeholder: "NAME"), "whose state, where there are several scripts"),
      OptionDeclaration("limit", .count(1...Int64.max), "shows so many keys at most"),
      .listFormat,
    ],
    details: [
      "Reads the storage, whether a host is using it or not: what it shows is at most a second old. A script "
        + "without keys has its state under the empty key, \"\"."
    ],
    examples: ["pipeline state config.lua", "pipeline state config.lua BTCUSDT --format json"]
  ) { arguments, console in
    onStorage(arguments, console) { stored in
      let script = try stored.script(named: arguments.text("script"))
      let key = arguments.operands.dropFirst().first
      let rows = try stored.reader.states(
        script: script.name, key: key, limit: Int(clamping: arguments.count("limit") ?? .max))
      if rows.isEmpty, let key {
        console.complain("script '\(script.name)' has no state under '\(UsageError.shown(key))'")
        return .failure
      }
      var text = ""
      for (key, row) in rows {
        let state = ScriptRunner.fields(ofRow: row).map { Value.map($0) } ?? .text(row)
        if arguments.writesJSON(to: console.output) {
          text += (["script": .text(script.name), "key": .text(key), "state": state] as Value).json + "\n"
        } else {
          text += "\(key.isEmpty ? "\"\"" : key.printable)  \(JSONLayout.lines(of: state))\n"
        }
      }
      return console.print(text) ?? .success
    }
  }
}
