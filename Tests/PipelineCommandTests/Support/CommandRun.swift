import Glibc

/// One run of the built program to its end.
struct CommandRun {
  /// The exit code; the negative number of the signal that ended it otherwise.
  let status: Int32
  let output: String
  let errors: String

  /// The program beside the tests' own executable.
  static let program: String = {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex) + "pipeline"
  }()
}

extension CommandRun {
  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - program: what to run; the program under test if not given.
  ///   - closingOutput: whether the reader of its output is gone from the start.
  init(
    program: String = program, _ arguments: [String], in folder: TemporaryFolder, closingOutput: Bool = false,
    bounds: CommandBounds = CommandBounds()
  ) throws {
    self = try RunningCommand(
      program: program, arguments, in: folder, output: closingOutput ? .closed : .read, bounds: bounds
    ).finish()
  }
}
