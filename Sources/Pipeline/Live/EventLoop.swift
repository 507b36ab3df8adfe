import CEvents
import Glibc
import Synchronization
import Threads
import WebSocket

/// One thread that watches descriptors and times and runs an actor's jobs: the engine's home.
///
/// The thread alone calls the turn function; from everywhere else, jobs and ``stop()`` reach it through an
/// eventfd(2). As a serial executor it lets the store live on this thread, so that a message read from a
/// socket is reduced where it was read, without a hop.
package final class EventLoop: SerialExecutor {
  /// What woke the thread.
  package struct Turn: Sendable {
    /// The tags of the descriptors that are ready.
    package var ready: [UInt64]
  }

  private struct Shared {
    var jobs: [UnownedJob] = []
    var isStopped = false
  }

  private static let wakeTag = UInt64.max

  private let shared = Mutex(Shared())
  private let epoll: Int32
  private let wakeUp: Int32
  private let identity = Atomic<UInt>(0)

  /// Makes a loop that does not run yet.
  ///
  /// - Throws: ``FileError`` when the process can have no more descriptors.
  package init() throws(FileError) {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard epoll >= 0, wakeUp >= 0 else {
      throw FileError("can't make an event loop: \(SystemFailure(number: errno).description)")
    }
    _ = control(EPOLL_CTL_ADD, wakeUp, tag: Self.wakeTag)
  }

  deinit {
    close(wakeUp)
    close(epoll)
  }

  // MARK: - The executor

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    shared.withLock { $0.jobs.append(job) }
    wake()
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package func checkIsolated() {
    precondition(isCurrent, "the engine was touched from another thread than its own")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  private var isCurrent: Bool { identity.load(ordering: .relaxed) == UInt(pthread_self()) }

  // MARK: - The thread

  /// Takes over the calling thread until ``stop()``.
  ///
  /// - Parameters:
  ///   - wait: how long the next wait may last, in milliseconds; negative for ever. Asked behind jobs, at the last moment:
  ///     until then the thread is at work.
  ///   - turn: called after each wait with what woke it.
  package func run(wait: () -> Int32, turn: (Turn) -> Void) {
    identity.store(UInt(pthread_self()), ordering: .relaxed)
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    var woken = Turn(ready: [])
    while runJobs() {
      let count = self.wait(for: &events, atMost: hasJobs ? 0 : wait())
      woken.ready.removeAll(keepingCapacity: true)
      for index in 0..<count {
        let tag = events[index].data.u64
        if tag == Self.wakeTag {
          var value: UInt64 = 0
          _ = read(wakeUp, &value, 8)
        } else {
          woken.ready.append(tag)
        }
      }
      turn(woken)
    }
  }

  /// Waits for what is watched, and gives how much of it there is.
  ///
  /// A signal, such as the one that watches handlers, is no reason to wake: see signal(7).
  private func wait(for events: inout [epoll_event], atMost timeout: Int32) -> Int {
    let end = timeout > 0 ? monotonicNanoseconds() + UInt64(timeout) * 1_000_000 : 0
    var rest = timeout
    while true {
      let count = epoll_wait(epoll, &events, Int32(events.count), rest)
      guard count < 0, errno == EINTR else { return max(Int(count), 0) }
      guard timeout > 0 else { continue }
      let now = monotonicNanoseconds()
      rest = now < end ? Int32(clamping: (end - now + 999_999) / 1_000_000) : 0
    }
  }

  /// Ends the thread's loop once the jobs at hand have run.
  package func stop() {
    shared.withLock { $0.isStopped = true }
    wake()
  }

  /// Watches a descriptor for readability, level-triggered.
  package func watch(_ descriptor: Int32, tag: UInt64) -> Bool {
    control(EPOLL_CTL_ADD, descriptor, tag: tag)
  }

  /// Forgets a descriptor; before it is closed.
  package func unwatch(_ descriptor: Int32) { _ = control(EPOLL_CTL_DEL, descriptor, tag: 0) }

  private func control(_ operation: Int32, _ descriptor: Int32, tag: UInt64) -> Bool {
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u64: tag))
    return epoll_ctl(epoll, operation, descriptor, &event) == 0
  }

  var hasJobs: Bool { shared.withLock { !$0.jobs.isEmpty || $0.isStopped } }

  private func wake() {
    var one: UInt64 = 1
    // Full means that the thread is being woken already.
    _ = write(wakeUp, &one, 8)
  }

  /// Runs the jobs at hand; false when the loop is to end.
  private func runJobs() -> Bool {
    while true {
      let (jobs, isStopped) = shared.withLock { shared in
        guard !shared.jobs.isEmpty else { return ([UnownedJob](), shared.isStopped) }
        defer { shared.jobs = [] }
        return (shared.jobs, shared.isStopped)
      }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      if jobs.isEmpty { return !isStopped }
    }
  }
}
