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
    let options = parameters.isEmpty ? "" : ", " + LuaLiteral.table(["params": .map(parameters)])
    let input = LuaLiteral.quoted(row.input)
    let message = LuaLiteral.quoted(String(decoding: row.message, as: UTF8.self))
    let reason = row.reason.split(separator: "\n").map(String.init)
    return """
      -- Message \(number) of the quarantine, of \(row.time.rfc3339()).
      -- It failed with: \(reason.joined(separator: "\n--   "))
      -- The test begins with an empty state; send what led there first if it matters.
      local t = test.script(\(LuaLiteral.quoted(script))\(options))

      it("handles message \(number) of the quarantine", function()
        t.receive(\(input), \(message), { time = \(LuaLiteral.quoted(row.time.rfc3339())) })
        t.nothing()
      end)

      """
  }
}
