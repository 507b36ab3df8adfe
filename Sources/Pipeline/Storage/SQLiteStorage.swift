import CSQLite
import Synchronization
import Threads

/// A storage in one SQLite file, written by a thread of its own.
///
/// The file is in WAL mode with full synchronisation: a commit that succeeded survives a power cut. While one
/// transaction is being written the next commits gather and go together, in order. Only one host can have the
/// file at a time. A file that can't be read is kept aside under another name and never overwritten.
package final class SQLiteStorage: Storage {
  /// What may be chosen about the file.
  package struct Options: Sendable {
    /// How long to wait for another process's lock, in milliseconds.
    package var busyTimeout: Int32 = 5_000
    /// How much of the file SQLite may keep in memory.
    package var cacheKibibytes = 16_384
    package var quarantine = QuarantineBound()
    /// How many alerts the history keeps.
    package var historyRows = 10_000
    /// How long after the start the first copy of the file is made, and how long after one the next.
    package var copies: (first: Milliseconds, next: Milliseconds) = (.minutes(1), .minutes(60))
    var schema = SQLiteSchema.current
    /// The time for the names of files that are kept aside.
    package var now: @Sendable () -> Timestamp = { .systemClock() }

    /// Makes the default options.
    package init() {}
  }

  typealias Completion = @Sendable (Result<Void, StorageError>) -> Void

  enum Job: Sendable {
    case commits([Commit], [Completion])
    /// Anything else that needs the file, in its turn among the commits.
    case work(@Sendable (SQLiteWriter) -> Void)
  }

  /// Where the storage's thread lays out what it has read of users' orders.
  final class OrderDesk: Sendable {
    private let laidOut = Mutex(StandingOrders())

    var orders: StandingOrders { laidOut.withLock { $0 } }

    /// Lays out other orders; false if they are the same as before.
    func layOut(_ orders: StandingOrders) -> Bool {
      laidOut.withLock { current in
        var orders = orders
        orders.version = current.version
        guard orders != current else { return false }
        orders.version += 1
        current = orders
        return true
      }
    }
  }

  private let queue: JobQueue<Job>
  private let path: String
  private let patience: StoragePatience
  private let desk: OrderDesk

  /// Makes a storage for a file, which is opened at first use.
  ///
  /// Throws a ``StorageError`` if the process can have no more threads.
  package init(file: String, options: Options = Options()) throws(StorageError) {
    path = file
    let queue = JobQueue<Job>()
    self.queue = queue
    let patience = StoragePatience(options.busyTimeout)
    self.patience = patience
    let desk = OrderDesk()
    self.desk = desk
    do {
      try DedicatedThread.start {
        SQLiteWriter(path: file, options: options, patience: patience, desk: desk).run(queue)
      }
    } catch {
      throw StorageError(.failed, "can't start the thread of the storage '\(file)': \(error.description)")
    }
  }

  deinit { queue.close() }

  package var home: String { path }

  package var orders: StandingOrders { desk.orders }

  package func watch(_ happened: @escaping @Sendable (StorageEvent) -> Void) {
    // A closed storage has nobody to tell.
    _ = queue.add { $0.append(.work { $0.watch(happened) }) }
  }

  package func load() async throws(StorageError) -> Snapshot {
    try await ask { writer throws(StorageError) in try writer.load() }
  }

  package func submit(
    _ commit: Commit, then completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    let isOpen = queue.add { jobs in
      guard case .commits(var commits, var completions)? = jobs.popLast(if: \.isCommits) else {
        jobs.append(.commits([commit], [completion]))
        return
      }
      commits.append(commit)
      completions.append(completion)
      // So that a disk that hangs costs memory by the number of keys and not by the number of commits.
      if commits.count > 64 { commits = [Commit.merged(commits)] }
      jobs.append(.commits(commits, completions))
    }
    if !isOpen { completion(.failure(closedError)) }
  }

  package func history(limit: Int) async throws(StorageError) -> [HistoryRow] {
    try await ask { writer throws(StorageError) in try writer.read { try $0.connection.history(limit: limit) }
    }
  }

  package func deadLetters(limit: Int) async throws(StorageError) -> [HistoryRow] {
    try await ask { writer throws(StorageError) in
      try writer.read { try $0.connection.history(limit: limit, filter: .deadLetters) }
    }
  }

  package func quarantine(limit: Int) async throws(StorageError) -> [QuarantineRow] {
    try await ask { writer throws(StorageError) in
      try writer.read { try $0.connection.quarantine(limit: limit).map(\.row) }
    }
  }

  /// Bounds the file's size in pages of 4,096 bytes; a commit beyond it fails as on a full disk.
  package func limit(pages: Int) async throws(StorageError) {
    try await ask { writer throws(StorageError) in
      try writer.read { try $0.connection.execute("PRAGMA max_page_count = \(pages)") }
    }
  }

  package func hurry(within time: Milliseconds) { patience.end(within: time) }

  @discardableResult
  package func close() async -> StorageError? {
    let failure: StorageError? = await withCheckedContinuation { continuation in
      let isOpen = queue.add { $0.append(.work { continuation.resume(returning: $0.close()) }) }
      if !isOpen { continuation.resume(returning: nil) }
    }
    queue.close()
    return failure
  }

  private var closedError: StorageError { StorageError(.closed, "the storage '\(path)' is closed") }

  /// Runs something on the storage's thread after what was handed over before.
  private func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (SQLiteWriter) throws(StorageError) -> Answer
  ) async throws(StorageError) -> Answer {
    let result: Result<Answer, StorageError> = await withCheckedContinuation { continuation in
      let isOpen = queue.add { jobs in
        jobs.append(
          .work { writer in
            continuation.resume(
              returning: Result { () throws(StorageError) in try question(writer) })
          })
      }
      if !isOpen { continuation.resume(returning: .failure(closedError)) }
    }
    return try result.get()
  }
}

extension SQLiteStorage.Job {
  fileprivate var isCommits: Bool { if case .commits = self { true } else { false } }
}

extension Array {
  /// Removes and returns the last element if there is one and it is so.
  fileprivate mutating func popLast(if condition: (Element) -> Bool) -> Element? {
    guard let last, condition(last) else { return nil }
    return removeLast()
  }
}

extension Commit {
  /// Several commits as one, in their order.
  static func merged(_ commits: [Commit]) -> Commit {
    var merged = commits.first ?? Commit()
    for commit in commits.dropFirst() { merged.merge(commit) }
    return merged
  }
}
