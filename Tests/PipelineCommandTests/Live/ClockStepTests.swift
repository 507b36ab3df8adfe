import Glibc
import Testing

/// What sets the clock of one process (Debian: faketime).
private let library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"

/// The whole program under a system's clock that is set while it runs, by libfaketime.
@Suite(
  "A clock that is set while the program runs",
  .enabled(if: access(library, R_OK) == 0, "faketime is not installed"))
struct ClockStepTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts the program with a clock that is as far from the system's as the file `clock` says.
  private func start(_ config: String) throws -> RunningCommand {
    try folder.write("clock", "+0\n")
    return try RunningCommand(
      program: "/usr/bin/env",
      [
        "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1",
        "FAKETIME_TIMESTAMP_FILE=\(folder.path("clock"))", "LD_PRELOAD=\(library)", CommandRun.program,
        "run", config, "--format", "json",
      ], in: folder, hasInput: true)
  }

  @Test func `a step by an hour either way is told, stops no timer and repeats no alert`() throws {
    let config = try folder.writeLive(
      feed: "source.stdin {}",
      script: """
        local M = { on = {}, actions = {}, state = { n = 0 } }
        local over = alert.rule { name = "over", above = 100, text = function(value) return "at " .. value end }
        function M.on.feed(state, message)
          state.n = num(message.n)
          over:check(state.n)
          effect.after("500ms", "ring", message.n)
        end
        function M.actions.ring(state, payload) alert.send { name = "ring", text = "rang for " .. payload } end
        return M
        """, rest: "storage = storage.sqlite { file = 'state.db' }")
    let run = try start(config)
    try run.write("{\"n\":150}\n")
    try run.wait(for: "rang for 150", in: .output)
    try folder.overwrite("clock", "+3600\n")
    try run.write("{\"n\":151}\n")
    try run.wait(for: "was set forward by 1h", in: .output)
    try run.wait(for: "rang for 151", in: .output)
    try folder.overwrite("clock", "+0\n")
    try run.write("{\"n\":152}\n")
    try run.wait(for: "was set back by 1h", in: .output)
    try run.wait(for: "rang for 152", in: .output)
    try run.write("{\"n\":50}\n")
    try run.wait(for: "resolved: at 50", in: .output)
    run.closeInput()
    let end = try run.finish()
    #expect(end.status == 0, "\(end.errors)")
    let lines = end.output.split(separator: "\n")
    #expect(lines.filter { $0.contains("\"name\":\"over\"") }.count == 2, "\(end.output)")
    #expect(lines.filter { $0.contains("\"name\":\"clock set\"") }.count == 2, "\(end.output)")
  }
}
