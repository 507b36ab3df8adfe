import Composable
import Glibc
import TestPeers
import Testing

@Suite("3.6 The notifier as a dependency")
struct NotifierTests {
  /// Makes a program of a shell script for one test, beside a file that it may write to.
  private func withProgram(_ script: String, _ body: (_ path: String, _ output: String) async throws -> Void)
    async throws
  {
    var template = Array("/tmp/composable.XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    let (path, output) = ("\(folder)/program", "\(folder)/output")
    defer {
      for file in [path, path + ".script", output] { unlink(file) }
      rmdir(folder)
    }
    try ScriptedProgram.make(path, "cd \(folder)\n\(script)\n")
    try await body(path, output)
  }

  @Test("A notification reaches the desktop's program as it is, also one that looks like an option")
  func desktop() async throws {
    try await withProgram(#"for part in "$@"; do echo "[$part]" >> output; done; echo noise"#) {
      path, output in
      let notifier = Notifier.desktop(command: path)
      try await notifier.notify(.init(title: "--help; $(id)", body: "two\nlines"))
      try await notifier.notify(.init(title: "only"))
      #expect(
        String(decoding: try await FileSystem.system.read(output, 1_000), as: UTF8.self)
          == "[--]\n[--help; $(id)]\n[two\nlines]\n[--]\n[only]\n")
    }
  }

  @Test("What goes wrong is said in a sentence")
  func failures() async throws {
    try await withProgram("exit 3") { path, _ in
      await #expect {
        try await Notifier.desktop(command: path).notify(.init(title: "x"))
      } throws: {
        "\($0)" == "\(path) exited with 3; it needs a desktop session to show something on."
      }
    }
    try await withProgram("kill -9 $$") { path, _ in
      await #expect {
        try await Notifier.desktop(command: path).notify(.init(title: "x"))
      } throws: {
        "\($0)" == "\(path) was killed by signal 9; it needs a desktop session to show something on."
      }
    }
    await #expect {
      try await Notifier.desktop(command: "/composable-missing").notify(.init(title: "x"))
    } throws: {
      "\($0)"
        == "/composable-missing can't be run (No such file or directory); install libnotify-bin, or give another "
        + "notifier."
    }
  }
}
