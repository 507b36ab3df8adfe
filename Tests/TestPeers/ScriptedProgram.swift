internal import Glibc

/// A program that a test makes up for the program under test to start.
///
/// It is a link to a file that nobody writes: a program that was just written can't be run as long as any process
/// has it open for writing, and one that was forked at the wrong moment has (execve(2), ETXTBSY).
package enum ScriptedProgram {
  private static let runner =
    "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Programs/scripted"

  /// Makes a program that runs a shell script; the script lies beside it in a file of its name with `.script`.
  package static func make(_ path: String, _ script: String) throws {
    let descriptor = open(path + ".script", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ChildProcess.Failure(description: "can't write \(path).script") }
    defer { close(descriptor) }
    let bytes = Array(script.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count, symlink(runner, path) == 0 else {
      throw ChildProcess.Failure(description: "can't make \(path)")
    }
  }
}
