internal import Glibc
internal import Synchronization

/// A thread of its own that runs the jobs of tasks one after another, for work that waits in the kernel.
///
///     let thread = WorkerThread()
///     let content = try await withTaskExecutorPreference(thread) { try await files.read("large", 1 << 30) }
///
/// The thread ends when the last reference is dropped.
public final class WorkerThread: TaskExecutor {
  private let inbox: Inbox

  /// Starts a thread.
  public init() {
    let inbox = Inbox()
    self.inbox = inbox
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        // Signals that ask the program for something are for the thread that it chose for them.
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Unmanaged<Inbox>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(inbox).toOpaque())
    precondition(result == 0, "A thread couldn't be started: \(String(cString: strerror(result))).")
    pthread_detach(thread)
  }

  deinit { inbox.stop() }

  /// Takes a job; called by the concurrency runtime.
  public func enqueue(_ job: consuming ExecutorJob) { inbox.add(UnownedJob(job), self) }
}

// Sendable because its contents are only touched under its lock.
private final class Inbox: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // The executor is kept as long as one of its jobs waits.
  private var jobs: [(job: UnownedJob, executor: WorkerThread)] = []
  private var isStopped = false

  init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(wake, nil)
  }

  deinit {
    pthread_cond_destroy(wake)
    pthread_mutex_destroy(lock)
    wake.deallocate()
    lock.deallocate()
  }

  func add(_ job: UnownedJob, _ executor: WorkerThread) {
    pthread_mutex_lock(lock)
    jobs.append((job, executor))
    pthread_cond_signal(wake)
    pthread_mutex_unlock(lock)
  }

  func stop() {
    pthread_mutex_lock(lock)
    isStopped = true
    pthread_cond_signal(wake)
    pthread_mutex_unlock(lock)
  }

  func run() {
    while true {
      pthread_mutex_lock(lock)
      while jobs.isEmpty, !isStopped { pthread_cond_wait(wake, lock) }
      let batch = jobs
      jobs = []
      pthread_mutex_unlock(lock)
      if batch.isEmpty { return }
      for (job, executor) in batch { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
    }
  }
}
