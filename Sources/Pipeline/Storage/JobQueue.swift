import Glibc

/// Jobs handed from any thread to the one that works on them, in order.
///
/// The working thread sleeps in the kernel while there is nothing to do.
final class JobQueue<Job: Sendable>: Sendable {
  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }

  /// Used under the lock alone.
  private nonisolated(unsafe) var state = State()
  /// Both live exactly as long as the queue and are made for many threads, which is why the pointers may be shared.
  private nonisolated(unsafe) let lock: UnsafeMutablePointer<pthread_mutex_t>
  private nonisolated(unsafe) let changed: UnsafeMutablePointer<pthread_cond_t>

  /// Makes an open queue.
  init() {
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    changed = .allocate(capacity: 1)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // So that a step of the system's clock changes no wait.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    changed.deallocate()
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }

  /// Changes the jobs that wait; false if the queue is closed and nothing was changed.
  func add(_ change: (inout [Job]) -> Void) -> Bool {
    withLock {
      guard !state.isClosed else { return false }
      change(&state.jobs)
      pthread_cond_signal(changed)
      return true
    }
  }

  /// Takes no more jobs; those that wait are still given out.
  func close() {
    withLock {
      state.isClosed = true
      pthread_cond_signal(changed)
    }
  }

  /// Waits for jobs and takes all of them; nil once the queue is closed and empty.
  ///
  /// - Parameter seconds: how long to wait at most; none come after it. Without, the wait has no bound.
  func next(within seconds: Int? = nil) -> [Job]? {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    if let seconds { end.tv_sec += seconds }
    return withLock {
      while state.jobs.isEmpty {
        if state.isClosed { return nil }
        if seconds == nil {
          pthread_cond_wait(changed, lock)
        } else if pthread_cond_timedwait(changed, lock, &end) == ETIMEDOUT, state.jobs.isEmpty {
          return state.isClosed ? nil : []
        }
      }
      defer { state.jobs = [] }
      return state.jobs
    }
  }
}
