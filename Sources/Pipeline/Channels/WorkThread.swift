import Threads

/// A thread of a channel's own, for work that waits or takes its time; one piece after the other.
final class WorkThread: Sendable {
  private let queue = JobQueue<@Sendable () -> Void>()

  /// Starts the thread of the channel of a name.
  ///
  /// - Throws: ``ChannelError`` if the process can have no more threads.
  init(forChannel name: String) throws(ChannelError) {
    let queue = queue
    do throws(SystemFailure) {
      try DedicatedThread.start {
        while let jobs = queue.next() {
          for job in jobs { job() }
        }
      }
    } catch {
      throw ChannelError("the channel '\(name)' can't start its thread: \(error.description)")
    }
  }

  deinit { queue.close() }

  /// Does a piece of work; nil if the thread is closed.
  func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
    await withCheckedContinuation { continuation in
      let isOpen = queue.add { $0.append { continuation.resume(returning: work()) } }
      if !isOpen { continuation.resume(returning: nil) }
    }
  }

  /// Ends the thread behind what waits.
  func close() { queue.close() }
}
