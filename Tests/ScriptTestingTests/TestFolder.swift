import Glibc
import Pipeline
import ScriptTesting
import Testing

/// A folder of its own for one test, removed with it.
final class TestFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/script-testing-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove(path) }

  private func remove(_ path: String) {
    if TextFile.isFolder(path) {
      for name in TextFile.names(in: path) { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  func write(_ name: String, _ text: String) throws {
    if let slash = name.lastIndex(of: "/") { mkdir("\(path)/\(name[..<slash])", 0o755) }
    try TextFile.create("\(path)/\(name)", text)
  }

  /// Runs `case_test.lua` with the given text beside a script, and returns the report with the folder's path
  /// taken out of its text.
  func run(_ test: String, script: String = TestFolder.priceAlert) async throws -> (TestReport, text: String)
  {
    try write("alert.lua", script)
    try write("case_test.lua", test)
    return try await run()
  }

  func run() async throws -> (TestReport, text: String) {
    let report = await TestSuite.run(files: [path])
    return (report, report.text.replacing("\(path)/", with: ""))
  }

  /// A test file of one test on `alert.lua`.
  static func test(_ body: String, options: String = "{}") -> String {
    "local t = test.script(\"alert.lua\", \(options))\nit(\"works\", function()\n\(body)\nend)\n"
  }

  static let priceAlert = """
    local M = {}
    local p = params { level = 70000 }
    M.state = { price = json.null, high = 0 }
    local over = alert.rule {
      name = "over level", crosses_above = p.level, clear_below = p.level - 500, severity = "warning",
      text = function(price) return ("bitcoin at %.2f"):format(price) end,
    }
    M.on = {}
    function M.on.price(state, message)
      state.price = num(message.bitcoin)
      state.high = math.max(state.high, state.price)
      over:check(state.price)
    end
    return M
    """
}
