import Glibc
import Scripting
import Testing

@Suite(
  "Against a real server that resumes",
  .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct KillLoopTests {
  /// Another one each time, so that many places are met; one that failed can be given again.
  private let seed: Int

  init() {
    let given = getenv("PIPELINE_TEST_SEED").flatMap { Int(String(cString: $0)) }
    seed = given ?? Int.random(in: 0..<1_000_000)
  }

  /// Says how to see a failure again.
  private var again: Comment { "to see it again, set PIPELINE_TEST_SEED=\(seed)" }

  private func run(kills: Int, tls: Bool = false) throws -> Value {
    let folder = try TemporaryFolder()
    let arguments = [
      FeedServer.script("kill_loop.py"), CommandRun.program, folder.path("."), "\(kills)", "\(seed)",
    ]
    let run = try CommandRun(
      program: FeedServer.python ?? "", arguments + (tls ? ["--tls"] : []), in: folder,
      bounds: CommandBounds(seconds: 300))
    try #require(run.status == 0, "\(again): \(run.errors)")
    return try Value(json: run.output)
  }

  @Test(
    "over ws and wss every message is seen once, in order, although the connection is lost twice",
    arguments: [false, true])
  func lostConnections(tls: Bool) throws {
    let result = try run(kills: 0, tls: tls)
    #expect(result["status"] == .integer(0), again)
    #expect(result["drops_left"] == .integer(0), again)
    #expect(result["gaps"] == .integer(0), again)
    #expect(result["messages"] == .integer(4_000), again)
    #expect(result["states"] == .integer(20), again)
    #expect((result["alerts"]?.double ?? 0) > 30, again)
  }

  @Test("after 25 kills no alert is lost, repeats have the same id, and each key's state is the same")
  func kills() throws {
    let result = try run(kills: 25)
    #expect(result["status"] == .integer(0), again)
    #expect(result["kills"] == .integer(25), again)
    #expect(result["lost"] == .integer(0), again)
    #expect(result["unknown"] == .integer(0), again)
    #expect(result["conflicts"] == .integer(0), again)
    #expect(result["states_equal"] == .bool(true), again)
  }
}
