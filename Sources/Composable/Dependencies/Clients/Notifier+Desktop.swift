internal import Threads

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

/// Runs a program to its end.
private func run(_ arguments: [String]) throws(NotifierError) {
  let name = arguments[0]
  let ending: ProgramRun
  do throws(SystemFailure) {
    ending = try ProgramRun.run(arguments, timeout: .seconds(60))
  } catch {
    throw NotifierError(
      description:
        "\(name) can't be run (\(error.description)); install libnotify-bin, or give another notifier.")
  }
  guard ending.status != 0 else { return }
  let way =
    switch ending.status {
    case nil: "took longer than a minute"
    case let status? where status > 0: "exited with \(status)"
    case let status?: "was killed by signal \(-status)"
    }
  throw NotifierError(description: "\(name) \(way); it needs a desktop session to show something on.")
}
