internal import Glibc

extension Notifier {
  /// Shows notifications on the desktop by way of `notify-send` (Debian: libnotify-bin).
  ///
  /// - Parameter command: The program, looked for on the PATH unless it is a path itself.
  public static func desktop(command: String = "notify-send") -> Self {
    let thread = WorkerThread()
    return Self { notification in
      try await withTaskExecutorPreference(thread) {
        // After "--" nothing is taken for an option.
        try run([command, "--", notification.title] + (notification.body.isEmpty ? [] : [notification.body]))
      }
    }
  }
}

/// Why a notification wasn't shown.
public struct NotifierError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened and what to do, in one sentence.
  public let description: String
}

/// Runs a program to its end, without input and output.
private func run(_ arguments: [String]) throws {
  let name = arguments[0]
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
  }
  // A thread of this program blocks signals; the other program shall not.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

  let pointers = arguments.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  var process = pid_t()
  let failure = posix_spawnp(&process, name, &actions, &attributes, pointers, environ)
  guard failure == 0 else {
    throw NotifierError(
      description: "\(name) can't be run (\(String(cString: strerror(failure)))); install libnotify-bin, or "
        + "give another notifier.")
  }
  var status: Int32 = 0
  while waitpid(process, &status, 0) < 0 {
    guard errno == EINTR else {
      throw NotifierError(
        description: "The end of \(name) can't be told: \(String(cString: strerror(errno))).")
    }
  }
  guard status == 0 else {
    let way = status & 0x7F == 0 ? "exited with \(status >> 8)" : "was killed by signal \(status & 0x7F)"
    throw NotifierError(description: "\(name) \(way); it needs a desktop session to show something on.")
  }
}
