import Glibc
import Testing

@Suite("A program that is stopped for a while")
struct StoppedProgramTests {
  private static let script = """
    local M = { on = {}, actions = {}, state = { count = 0 } }
    function M.on.feed(state, message)
      state.count = state.count + 1
      effect.after("200ms", "later", { n = message.n })
    end
    function M.actions.later(state, payload)
      alert.send { name = "later", text = "message " .. payload.n .. " of " .. state.count }
    end
    return M
    """

  @Test("stopped and continued, it goes on where it was: late, but nothing is lost or told twice")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let config = try folder.writeLive(feed: "source.stdin {}", script: Self.script)
    let run = try RunningCommand(["run", config], in: folder, hasInput: true)
    try run.write("{\"n\":1}\n")
    try run.wait(for: "message 1 of 1", in: .output)
    run.send(signal: SIGSTOP)
    try run.write("{\"n\":2}\n{\"n\":3}\n")
    run.send(signal: SIGCONT)
    try run.wait(for: "message 3 of 3", in: .output)
    run.closeInput()
    let end = try run.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.output.split(separator: "\n").count == 2, "\(end.output)")
    #expect(!end.output.contains("clock set"))
  }
}
