import Glibc
import Testing

@Suite("The bounds of programs that tests start")
struct RunningCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a program that hangs is killed with all that it started, and the failure shows its last words")
  func hangs() throws {
    let line = "sleep 1000 & echo $! >child; echo waiting >&2; wait"
    let run = try RunningCommand(
      program: "/bin/sh", ["-c", "cd \(folder.root); \(line)"], in: folder, bounds: CommandBounds(seconds: 1))
    let failure = #expect(throws: CommandFailure.self) { try run.finish() }
    let text = failure?.description ?? ""
    #expect(text.contains("did not end within 1 s and was killed") && text.contains("waiting"), "\(text)")
    let child = try #require(Int32(folder.read(folder.path("child")).dropLast()))
    // The kernel takes its time; a zombie that nobody waits for is dead, too.
    func isAlive() -> Bool {
      let state = folder.read("/proc/\(child)/stat").split(separator: ")").last?.first { $0 != " " }
      return state != nil && state != "Z"
    }
    for _ in 0..<1_000 where isAlive() { usleep(10_000) }
    #expect(!isAlive())
  }

  @Test("a program gets no more memory than its bound")
  func memory() throws {
    let line = "head -c 300000000 /dev/zero | tail -c 200000000 | wc -c"
    let wide = try CommandRun(program: "/bin/sh", ["-c", line], in: folder)
    #expect(wide.output == "200000000\n")
    var bounds = CommandBounds()
    bounds.dataBytes = 100_000_000
    let narrow = try CommandRun(program: "/bin/sh", ["-c", line], in: folder, bounds: bounds)
    #expect(narrow.output == "0\n")
    #expect(narrow.errors.contains("memory exhausted"), "\(narrow.errors)")
  }

  @Test("waiting for words that don't come ends with the program, and shows what it said")
  func endsBefore() throws {
    let run = try RunningCommand(program: "/bin/sh", ["-c", "echo other >&2"], in: folder)
    let failure = #expect(throws: CommandFailure.self) { try run.wait(for: "words") }
    let text = failure?.description ?? ""
    #expect(text.contains("ended without \"words\"") && text.contains("other"), "\(text)")
  }
}
