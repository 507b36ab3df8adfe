import Composable
import Glibc
import Synchronization
import Testing

/// An executor on one thread of its own, as a host with a run loop has it.
private final class ThreadExecutor: SerialExecutor {
  private struct Inbox {
    var jobs: [UnownedJob] = []
    var isStopping = false
    var thread = pthread_t()
  }

  private let inbox = Mutex(Inbox())
  // A semaphore is made for several threads; its address stays fixed until the executor goes.
  private nonisolated(unsafe) let wake = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(wake, 0, 0) }

  deinit {
    sem_destroy(wake)
    wake.deallocate()
  }

  func start() {
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<ThreadExecutor>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(result == 0, "A thread couldn't be made.")
    inbox.withLock { $0.thread = thread }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    inbox.withLock { $0.jobs.append(job) }
    sem_post(wake)
  }

  func stop() {
    inbox.withLock { $0.isStopping = true }
    sem_post(wake)
    pthread_join(inbox.withLock { $0.thread }, nil)
  }

  private func run() {
    while true {
      let (jobs, isStopping) = inbox.withLock { inbox in
        defer { inbox.jobs = [] }
        return (inbox.jobs, inbox.isStopping)
      }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      if jobs.isEmpty {
        if isStopping { return }
        sem_wait(wake)
      }
    }
  }
}

private actor Engine {
  private let executor: ThreadExecutor
  private var store: Store<Counter.State, Counter.Action>?

  init(_ executor: ThreadExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func start() { store = Store(initialState: Counter.State(), dependencies: .preview) { Counter() } }

  /// Sends within the engine's thread, as its run loop would.
  nonisolated func sendFromRunLoop(_ action: Counter.Action) {
    assumeIsolated { $0.store?.send(action) }
  }

  func send(_ actions: [Counter.Action]) { for action in actions { sendFromRunLoop(action) } }

  func countReaching(_ value: Int) async -> Int {
    guard let store else { return 0 }
    for await count in store.changes(of: \.count) where count == value { return count }
    return store.state.count
  }

  func close() async {
    await store?.close()
    store = nil
  }
}

@Suite("3.2 A store runs on the executor it was given")
struct EngineThreadTests {
  @Test("An actor over one thread sends from its run loop, and effects come back to that thread")
  func engine() async {
    let executor = ThreadExecutor()
    executor.start()
    let engine = Engine(executor)
    await engine.start()
    await engine.send([.increment, .increment, .load])
    #expect(await engine.countReaching(3) == 3)
    await engine.close()
    executor.stop()
  }
}
