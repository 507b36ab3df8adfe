import Glibc
import Scripting
import Testing

/// The interpreter for servers that tests start; nil where `scripts/test` did not make one.
private let python: String? = getenv("PIPELINE_TEST_PYTHON").map { String(cString: $0) }

@Suite("Against a real server that resumes", .enabled(if: python != nil, "PIPELINE_TEST_PYTHON is not set"))
struct KillLoopTests {
  private func run(kills: Int, seed: Int, tls: Bool = false) throws -> Value {
    let folder = try TemporaryFolder()
    let script =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
      .joined(separator: "/") + "/Servers/kill_loop.py"
    let arguments = [script, CommandRun.program, folder.path("."), "\(kills)", "\(seed)"]
    let run = try CommandRun(program: python ?? "", arguments + (tls ? ["--tls"] : []), in: folder)
    try #require(run.status == 0, "\(run.errors)")
    return try Value(json: run.output)
  }

  @Test(
    "over ws and wss every message is seen once, in order, although the connection is lost twice",
    arguments: [false, true])
  func lostConnections(tls: Bool) throws {
    let result = try run(kills: 0, seed: 11, tls: tls)
    #expect(result["status"] == .integer(0), "the program stops cleanly")
    #expect(result["drops_left"] == .integer(0))
    #expect(result["gaps"] == .integer(0))
    #expect(result["messages"] == .integer(4_000))
    #expect(result["states"] == .integer(20))
    #expect((result["alerts"]?.double ?? 0) > 30)
  }

  @Test("after 25 kills no alert is lost, repeats have the same id, and each key's state is the same")
  func kills() throws {
    let result = try run(kills: 25, seed: 7)
    #expect(result["status"] == .integer(0))
    #expect(result["kills"] == .integer(25))
    #expect(result["lost"] == .integer(0), "\(result.json)")
    #expect(result["unknown"] == .integer(0), "\(result.json)")
    #expect(result["conflicts"] == .integer(0))
    #expect(result["states_equal"] == .bool(true))
  }
}
