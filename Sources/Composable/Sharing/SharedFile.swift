internal import Synchronization

/// A file that may have changes to write.
protocol FlushableFile: Sendable {
  func flush() async
}

/// Writes a shared value to its file, not at each change but within a delay.
actor SharedFile: FlushableFile {
  private struct Pending {
    /// Whether the value has changed since it was last taken to be written.
    var isChanged = false
    /// Whether a task waits to write.
    var isScheduled = false
  }

  private let path: String
  private let delay: Duration
  private let files: FileSystem
  private let clock: any Clock<Duration>
  private let issues: IssueReporter
  /// The value as it is written; nil once it is gone.
  private let content: @Sendable () throws -> [UInt8]?
  private nonisolated let pending = Mutex(Pending())
  private var write: Task<Void, Never>?

  init(
    _ path: String, delay: Duration, files: FileSystem, clock: any Clock<Duration>, issues: IssueReporter,
    content: @escaping @Sendable () throws -> [UInt8]?
  ) {
    self.path = path
    self.delay = delay
    self.files = files
    self.clock = clock
    self.issues = issues
    self.content = content
  }

  /// Sees to it that the value is written within the delay, and kept until then.
  nonisolated func noteChange(of value: (any AnyObject & Sendable)?) {
    let begins = pending.withLock { pending in
      pending.isChanged = true
      defer { pending.isScheduled = true }
      return !pending.isScheduled
    }
    guard begins else { return }
    Task {
      do {
        try await clock.sleep(for: delay)
      } catch {
        // Only the clock can end the wait early; written at once, nothing is lost.
      }
      pending.withLock { $0.isScheduled = false }
      await flush()
      withExtendedLifetime(value) {}
    }
  }

  /// Writes what has changed, after any write that goes on.
  func flush() async {
    while let write { await write.value }
    guard pending.withLock({ $0.isChanged }) else { return }
    let task = Task { await writeOnce() }
    write = task
    await task.value
  }

  private func writeOnce() async {
    // Before the task has ended, so that nobody waits for it a second time.
    defer { write = nil }
    pending.withLock { $0.isChanged = false }
    do {
      if let content = try content() { try await files.write(path, content) }
    } catch {
      pending.withLock { $0.isChanged = true }
      issues.report(
        Issue(
          "The shared value in \(path) can't be written (\(error)); it is tried again after the next change "
            + "and by flush()."))
    }
  }
}
