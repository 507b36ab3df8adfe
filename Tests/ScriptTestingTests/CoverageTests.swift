import ScriptTesting
import Testing

@Suite("Which lines of a script its tests run")
struct CoverageTests {
  private static let script = """
    -- a comment
    local helper = require("helper")
    local M = { state = { n = 0 }, on = {}, actions = {} }
    local function unused(
      a)
      return a

    end
    function M.on.price(state, message)
      if message.bitcoin > 5 then
        state.n = helper.double(
          message.bitcoin)
      else
        state.n = 1
      end
      for i = 1, 2 do
        local nothing
      end
    end

    function M.actions.never(state)
      state.n = 3
      state.n = 4

      state.n = 5
    end

    return M
    """

  private static let helper = """
    local helper = {}
    function helper.double(n)
      return n * 2
    end
    function helper.half(n)
      return n / 2
    end
    return helper
    """

  private func report(_ test: String, coversLines: Bool = true) async throws -> (
    TestReport, folder: TestFolder
  ) {
    let folder = try TestFolder()
    try folder.write("alert.lua", Self.script)
    try folder.write("helper.lua", Self.helper)
    try folder.write("case_test.lua", TestFolder.test(test))
    return (await TestSuite.run(files: [folder.path], coversLines: coversLines), folder)
  }

  @Test(
    "lines with code that didn't run are named, modules included; comments and blank lines don't count")
  func lines() async throws {
    let (report, folder) = try await report(#"t.receive("price", { bitcoin = 7 })  t.state { n = 14 }"#)
    #expect(report.exitStatus == 0, "\(report.text)")
    let text = report.text.replacing("\(folder.path)/", with: "")
    let table = try #require(text.split(separator: "lines of scripts that ran:\n").last)
    let rows = table.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      rows == [
        "alert.lua 13/18 72.2 % not: 6, 14, 22-25", "helper.lua 7/8 87.5 % not: 6", "all 20/26 76.9 %",
        "1 passed, 0 failed",
      ], "\(table)")
    let more = try await self.report(
      #"t.receive("price", { bitcoin = 7 })  t.state { n = 14 }  t.receive("price", { bitcoin = 1 })  t.state { n = 1 }"#
    ).0
    #expect(more.text.contains("not: 6, 22-25\n"), "\(more.text)")
  }

  @Test("coverage goes on over a restart, and in handlers that are counted")
  func restart() async throws {
    let (report, _) = try await report(
      #"t.receive("price", { bitcoin = 7 })  t.state { n = 14 }  t.restart()  t.receive("price", { bitcoin = 1 })  t.state { n = 1 }"#
    )
    #expect(report.exitStatus == 0, "\(report.text)")
    #expect(report.text.contains("not: 6, 22-25\n"), "\(report.text)")
  }

  @Test("lcov's form holds each line with code and how often it ran")
  func lcov() async throws {
    let (report, folder) = try await report("t.nothing()")
    let lcov = CoverageReport(try #require(report.coverage)).lcov.replacing("\(folder.path)/", with: "")
    #expect(lcov.hasPrefix("TN:\nSF:alert.lua\nDA:2,1\nDA:3,1\n"), "\(lcov)")
    #expect(lcov.contains("\nDA:10,0\n") && !lcov.contains("SF:alert.lua\nDA:1,"))
    #expect(lcov.contains("LF:18\nLH:8\nend_of_record\nSF:helper.lua\n"), "\(lcov)")
  }

  @Test("nothing is counted unless it is asked for")
  func off() async throws {
    let (report, _) = try await report("t.nothing()", coversLines: false)
    #expect(report.coverage == nil)
    #expect(!report.text.contains("lines of scripts"))
  }
}
