import CEvents
import Glibc
import Synchronization

/// Jobs handed from any thread to the one that works on them, in order.
///
/// The working thread sleeps in the kernel, on a semaphore, while there is nothing to do.
final class JobQueue<Job: Sendable>: Sendable {
  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  /// Counts the changes. POSIX semaphores may be used from any thread (sem_overview(7)) and this one lives
  /// exactly as long as the queue, which is why the pointer may be shared.
  private nonisolated(unsafe) let changes: UnsafeMutablePointer<sem_t>

  /// Makes an open queue.
  init() {
    changes = .allocate(capacity: 1)
    sem_init(changes, 0, 0)
  }

  deinit {
    sem_destroy(changes)
    changes.deallocate()
  }

  /// Changes the jobs that wait; false if the queue is closed and nothing was changed.
  func add(_ change: (inout [Job]) -> Void) -> Bool {
    let isOpen = state.withLock { state in
      if !state.isClosed { change(&state.jobs) }
      return !state.isClosed
    }
    if isOpen { sem_post(changes) }
    return isOpen
  }

  /// Takes no more jobs; those that wait are still given out.
  func close() {
    state.withLock { $0.isClosed = true }
    sem_post(changes)
  }

  /// Waits for jobs and takes all of them; nil once the queue is closed and empty.
  ///
  /// - Parameter seconds: how long to wait at most; none come after it. Without, the wait has no bound.
  func next(within seconds: Int? = nil) -> [Job]? {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    end.tv_sec += seconds ?? 0
    while true {
      let (jobs, isClosed) = state.withLock { state in
        let jobs = state.jobs
        state.jobs = []
        return (jobs, state.isClosed)
      }
      if !jobs.isEmpty { return jobs }
      if isClosed { return nil }
      // An interrupted wait only leads to another look.
      if seconds == nil {
        sem_wait(changes)
      } else if sem_clockwait(changes, CLOCK_MONOTONIC, &end) != 0, errno == ETIMEDOUT {
        return []
      }
    }
  }
}
