import Glibc

/// One run of the built program to its end.
struct CommandRun {
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

  /// Runs the program with its output in files of the folder.
  ///
  /// - Parameter closingOutput: whether the reader of its output is gone from the start.
  ///   - program: what to run; the program under test if not given.
  init(
    program: String = program, _ arguments: [String], in folder: TemporaryFolder, closingOutput: Bool = false
  ) throws {
    let number = folder.next()
    let outputPath = folder.path("output\(number)")
    let errorPath = folder.path("errors\(number)")
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SpawnFailure(number: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    close(ends[0])
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if closingOutput {
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT, 0o600)
    }
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, program, &actions, nil, words, environ)
    guard failure == 0 else { throw SpawnFailure(number: failure) }
    var state: Int32 = 0
    while waitpid(process, &state, 0) < 0 {
      guard errno == EINTR else { throw SpawnFailure(number: errno) }
    }
    status = state & 0x7f == 0 ? (state >> 8) & 0xff : -(state & 0x7f)
    output = closingOutput ? "" : folder.read(outputPath)
    errors = folder.read(errorPath)
  }
}

/// The number of the error for which a process could not be started.
struct SpawnFailure: Error { var number: Int32 }
