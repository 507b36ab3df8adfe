package import Pipeline
package import Scripting

/// A test file that hands a message from the quarantine to its script again.
package struct QuarantineTest {
  private let row: QuarantineRow
  private let number: Int64
  private let script: String
  private let parameters: [String: Value]

  /// Makes the test of a message.
  ///
  /// - Parameters:
  ///   - number: the message's number in the quarantine.
  ///   - script: the script's file, from the folder of the test.
  ///   - parameters: those that the configuration gives the script.
  package init(row: QuarantineRow, number: Int64, script: String, parameters: [String: Value]) {
    self.row = row
    self.number = number
    self.script = script
    self.parameters = parameters
  }

  /// The text of the file: it fails as the message did, and claims nothing else yet.
  package var text: String {
    var options: [String: Value] = [:]
    if !parameters.isEmpty { options["params"] = .map(parameters) }
    if !row.source.isEmpty, row.source != row.input { options["from"] = [row.input: .text(row.source)] }
    let script = LuaLiteral.quoted(script) + (options.isEmpty ? "" : ", \(LuaLiteral.table(options))")
    let message = LuaLiteral.quoted(String(decoding: row.message, as: UTF8.self))
    let marks = LuaLiteral.table(marks, first: ["time", "received"])
    let reason = row.reason.split(separator: "\n").map(String.init)
    return """
      -- Message \(number) of the quarantine, of \(row.time.rfc3339()).
      -- It failed with: \(reason.joined(separator: "\n--   "))
      -- The test begins with an empty state; send what led there first if it matters.
      local t = test.script(\(script))

      it("handles message \(number) of the quarantine", function()
        t.receive(\(LuaLiteral.quoted(row.input)), \(message), \(marks))
        t.nothing()
      end)

      """
  }

  /// What went with the message, as options of `t.receive`.
  private var marks: [String: Value] {
    var options: [String: Value] = ["time": .text((row.marks.happened ?? row.time).rfc3339())]
    if row.marks.happened != nil { options["received"] = .text(row.time.rfc3339()) }
    if !row.marks.topic.isEmpty { options["topic"] = .text(row.marks.topic) }
    if row.marks.isReplayed { options["replayed"] = true }
    if row.marks.isLate { options["late"] = true }
    if row.marks.isText { options["text"] = true }
    if let sequence = row.marks.sequence { options["sequence"] = .integer(sequence) }
    return options
  }
}
