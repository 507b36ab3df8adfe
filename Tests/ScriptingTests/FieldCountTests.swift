import Scripting
import Testing

/// As many fields of state as a script may declare are as good as two.
@Suite("Fields of state")
struct FieldCountTests {
  private func script(fields count: Int) -> String {
    let fields = (1...count).map { "f\($0) = \($0)" }.joined(separator: ", ")
    return """
      local M = { key = "key", on = {} }
      M.state = { \(fields) }
      function M.on.feed(state, message) state.f1, state.f\(count) = state.f1 + 1, state.f\(count) + 1 end
      return M
      """
  }

  @Test("120 fields can be declared, of many keys")
  func most() throws {
    let trial = try ScriptTrial(script(fields: 120))
    for key in ["a", "b", "a"] { #expect(trial.receive("{\"key\":\"\(key)\"}") == nil) }
    #expect(try trial.state("a")["f120"] == .integer(122))
    #expect(try trial.state("b")["f120"] == .integer(121))
    #expect(try trial.state("b")["f119"] == .integer(119))
  }

  @Test("More are refused with a sentence that says what to do")
  func tooMany() {
    let failure = #expect(throws: ScriptFailure.self) { try ScriptTrial(script(fields: 121)) }
    #expect(failure?.reason.contains("M.state: more than 120 fields; declare one field = {}") == true)
  }
}
