import FoundationEssentials
import Pipeline
import PipelineCommand
import Scripting
import Testing

@testable import CustomHostExample

@Suite("Example: CustomHost", .serialized)
struct CustomHostTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "custom-host-\(UUID().uuidString)")

  private func write(_ name: String, _ text: String) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: name).path
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func writeProject(load: String, script: String) throws -> String {
    _ = try write("load", load)
    _ = try write("watch.lua", script)
    return try write(
      "config.lua",
      """
      return {
        sources = { load = source.load { path = "load", every = "1ms", count = 3 } },
        scripts = {
          trend = { reducer = reducer.trend { field = "load" }, from = { "load" } },
          watch = { file = "watch.lua", from = { load = "trend.trend" } },
        },
        channels = { status = channel.status { path = "status.txt" } },
        storage = storage.sqlite { file = "state.db" },
      }
      """)
  }

  private let script = """
    local M = { on = {} }
    local high = alert.rule {
      name = "high", above = 5, text = function(_, load) return ("%g, mean %g"):format(load.value, load.mean) end,
    }
    function M.on.load(_, load) high:check(load.value, load) end
    return M
    """

  @Test("what the source gives passes the reducer and the script, and the alert stands in the file")
  func wholeWay() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let config = try writeProject(load: "9.50 1.00 1.00 1/100 1\n", script: script)
    #expect(await Program(registry: .custom).run(["run", config]) == 0)
    let status = try String(contentsOf: folder.appending(path: "status.txt"), encoding: .utf8)
    #expect(status == "info: 9.5, mean 9.5\n")
  }

  @Test("the reducer's state goes on after a restart")
  func restart() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let config = try writeProject(load: "0 0 0 1/100 1\n", script: script)
    #expect(await Program(registry: .custom).run(["run", config]) == 0)
    _ = try write("load", "10 0 0 1/100 1\n")
    #expect(await Program(registry: .custom).run(["run", config]) == 0)
    let status = try String(contentsOf: folder.appending(path: "status.txt"), encoding: .utf8)
    #expect(status == "info: 10, mean 0 (happened while the program was down)\n")
  }

  @Test("a configuration is checked against what the host adds")
  func check() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let config = try writeProject(load: "1", script: script)
    let program = Program(registry: .custom)
    #expect(await program.run(["check", config]) == 0)
    #expect(await Program().run(["check", config]) == 2)
    #expect(await program.run(["help", "reducer.trend"]) == 0)
  }

  @Test("the mean follows the numbers, and what is no number is refused")
  func trend() throws {
    let trend = Trend(field: "x", weight: 0.5)
    var state = Trend.State()
    #expect(
      try trend.reduce(into: &state, message: NativeMessage(["x": 4]))
        == [.emit(topic: "trend", ["value": 4.0, "mean": 4.0])])
    #expect(
      try trend.reduce(into: &state, message: NativeMessage(["x": "8"]))
        == [.emit(topic: "trend", ["value": 8.0, "mean": 4.0])])
    #expect(state.mean == 6)
    #expect(try Trend.State(stored: state.stored) == state)
    #expect(throws: Trend.NoNumber.self) {
      try trend.reduce(into: &state, message: NativeMessage(["x": "eight"]))
    }
  }
}
