import Glibc
import Scripting
import Testing

@Suite(
  "Killed again and again against a real server",
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

  private func run(_ options: String...) throws -> Value {
    let folder = try TemporaryFolder()
    let arguments =
      [FeedServer.script("kill_loop.py"), CommandRun.program, folder.path("."), "--seed", "\(seed)"] + options
    let run = try CommandRun(
      program: FeedServer.python ?? "", arguments, in: folder, bounds: CommandBounds(seconds: 300))
    #expect(run.status == 0, "\(again): \(run.errors)")
    return try Value(json: run.output)
  }

  @Test(
    "over ws and wss every message is seen once, in order, although the connection is lost twice",
    arguments: [false, true])
  func lostConnections(tls: Bool) throws {
    let result = try tls ? run("--kills", "0", "--tls") : run("--kills", "0")
    #expect(result["drops_left"] == .integer(0), again)
    #expect(result["gaps"] == .integer(0), again)
    #expect(result["messages"] == .integer(4_000), again)
    #expect(result["states"] == .integer(20), again)
    #expect((result["alerts"]?.double ?? 0) > 30, again)
  }

  @Test(
    "after 25 kills no alert is lost, repeats have the same id, and each of 1,000 keys has the same state")
  func kills() throws {
    let result = try run("--kills", "25", "--keys", "1000", "--messages", "8000")
    #expect(result["kills"] == .integer(25), again)
    #expect(result["states"] == .integer(1_000), again)
    #expect(result["lost"] == .integer(0), again)
    #expect(result["unknown"] == .integer(0), again)
    #expect(result["conflicts"] == .integer(0), again)
    #expect(result["states_equal"] == .bool(true), again)
  }

  @Test("a feed that can't resume: what is missed is told, and nothing fires because of a restart")
  func killsWithoutPosition() throws {
    let result = try run("--kills", "25", "--keys", "1000", "--messages", "8000", "--feed", "live")
    #expect((result["gaps"]?.double ?? 0) > 0, again)
    #expect((result["changes"]?.double ?? 0) > 0, again)
    #expect(result["false"] == .integer(0), again)
    #expect(result["untold"] == .integer(0), again)
    #expect(result["timers"] == .integer(1_000), again)
  }
}
