import ScriptTesting
import Testing

@Suite("Tables of cases")
struct CaseTests {
  @Test("each case is a test with its name, its own state and its own failure")
  func names() async throws {
    let (report, text) = try await TestFolder().run(
      """
      local t = test.script("alert.lua")
      local function rises(case)
        t.receive("price", { bitcoin = case.from })
        t.state { price = case.from, high = case.from }
      end
      each("rises", { { name = "from low", from = 1.0 }, { from = 2.0 } }, rises)
      each({ ["by name"] = { from = 3.0 } }, rises)
      each("of", { 4.0 }, function(price)
        t.receive("price", { bitcoin = price })
        t.state { price = price }
      end)
      """)
    #expect(report.files[0].tests.map(\.name) == ["rises: from low", "rises: case 2", "by name", "of: 4.0"])
    #expect(report.files[0].tests.map(\.line) == [6, 6, 7, 8])
    #expect(report.summary == "3 passed, 1 failed", "\(text)")
    #expect(
      text.contains("case_test.lua:9: what t.receive") || text.contains("case_test.lua:9: what receive"),
      "\(text)")
  }

  @Test(
    "what isn't a table of cases is said at its line",
    arguments: [
      ("each(\"x\", 1, print)", "each: expected a table of cases, got number"),
      ("each({ 1 })", "each: expected a function that tests a case, got nil"),
      ("each({}, function() end)", "each: expected at least one case, got none"),
      ("it(\"x\", function() each({ 1 }, function() end) end)", "can't stand inside a test"),
    ])
  func faults(line: String, expected: String) async throws {
    let (report, text) = try await TestFolder().run("\n" + line)
    #expect(report.exitStatus == 1)
    #expect(text.contains(expected), "\(text)")
    #expect(text.contains("case_test.lua:2"), "\(text)")
  }
}
