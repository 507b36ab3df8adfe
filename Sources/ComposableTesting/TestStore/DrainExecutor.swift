internal import Synchronization

/// Runs jobs one after another on the thread that asks for it, until none is left.
///
/// It is both the executor of the actor that a tested store lives on and the one that its effects prefer, so
/// that a test can run them to rest: nothing is left to run when ``drain(limit:)`` returns true.
final class DrainExecutor: TaskExecutor, SerialExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var isDraining = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let queue = Mutex(Queue())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let waiter = queue.withLock { queue in
      queue.jobs.append(job)
      defer { queue.waiter = nil }
      return queue.waiter
    }
    waiter?.resume()
  }

  /// Runs jobs until none is left; returns false if more than `limit` had to be run.
  ///
  /// Called from within a job it does nothing: the outer call goes on.
  func drain(limit: Int) -> Bool {
    let begins = queue.withLock { queue in
      defer { queue.isDraining = true }
      return !queue.isDraining
    }
    guard begins else { return true }
    defer { queue.withLock { $0.isDraining = false } }
    var count = 0
    while true {
      let jobs = queue.withLock { queue in
        defer { queue.jobs = [] }
        return queue.jobs
      }
      if jobs.isEmpty { return true }
      for job in jobs {
        job.runSynchronously(
          isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
      count += jobs.count
      if count > limit { return false }
    }
  }

  /// Returns as soon as a job waits to be run.
  func waitForJob() async {
    await withCheckedContinuation { continuation in
      let isReady = queue.withLock { queue in
        if queue.jobs.isEmpty { queue.waiter = continuation }
        return !queue.jobs.isEmpty
      }
      if isReady { continuation.resume() }
    }
  }
}

/// The actor that a tested store lives on.
actor TestIsolation {
  private let executor: DrainExecutor

  init(_ executor: DrainExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
