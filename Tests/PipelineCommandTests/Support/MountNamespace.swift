/// Runs a program where it alone sees a disk that is full or can't be written.
enum MountNamespace {
  /// Whether this machine lets a test mount something where nobody else sees it.
  static let isAvailable: Bool = {
    do {
      let folder = try TemporaryFolder()
      return try run("mount -t tmpfs none \"$0\"", [folder.root], in: folder).status == 0
    } catch {
      return false
    }
  }()
  static let reason = "unshare(1) can't make a mount namespace here"

  /// Runs a line of shell in a namespace of its own; its `$0`, `$1`, … are the arguments.
  static func run(_ line: String, _ arguments: [String], in folder: TemporaryFolder) throws -> CommandRun {
    try CommandRun(
      program: "/usr/bin/unshare", ["--map-root-user", "--mount", "sh", "-e", "-c", line] + arguments,
      in: folder)
  }
}
