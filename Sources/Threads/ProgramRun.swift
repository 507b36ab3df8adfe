internal import Glibc

/// One run of another program to its end, by a thread that may wait.
package struct ProgramRun: Sendable {
  /// The exit status, the negative number of the signal that ended it, or nil if it took too long.
  package var status: Int32?
  /// The beginning of what it wrote to standard error, on one line.
  package var errors: String

  /// Runs a program that is looked for in the path, with nothing to read and its output thrown away.
  ///
  /// - Parameter timeout: after which it is killed.
  package static func run(_ arguments: [String], timeout: Duration) throws(SystemFailure) -> ProgramRun {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemFailure.last }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let process = try start(arguments, errors: ends[1])
    close(ends[1])
    let deadline = ContinuousClock.now + timeout
    var said: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var isInTime = true
    while true {
      let left = Int32(clamping: Int64(max((deadline - ContinuousClock.now) / .milliseconds(1), 0)))
      var ready = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      let count = poll(&ready, 1, left)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        isInTime = false
        kill(process, SIGKILL)
        break
      }
      let length = read(ends[0], &buffer, buffer.count)
      guard length > 0 else { break }
      if said.count < buffer.count { said += buffer.prefix(length) }
    }
    var state: Int32 = 0
    while waitpid(process, &state, 0) < 0 {
      guard errno == EINTR else { throw SystemFailure.last }
    }
    let status = state & 0x7f == 0 ? (state >> 8) & 0xff : -(state & 0x7f)
    let text = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).joined(separator: " ")
    return ProgramRun(status: isInTime ? status : nil, errors: text)
  }

  private static func start(_ arguments: [String], errors: Int32) throws(SystemFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The host's threads block some signals and ignore SIGPIPE; the program begins as any other.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var ignored = sigset_t()
    sigemptyset(&ignored)
    sigaddset(&ignored, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, arguments[0], &actions, &attributes, &words, environ)
    guard failure == 0 else { throw SystemFailure(number: failure) }
    return process
  }
}
