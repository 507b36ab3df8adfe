import CEvents
import Glibc
import Synchronization
import Threads

/// What waits between the task of a native source and the engine's thread: bounded, in order.
final class NativeQueue: Sendable {
  /// The bytes beyond which a sender waits.
  static let capacity = 1 << 20
  /// The messages beyond which a sender waits, however short they are.
  static let messageCapacity = 16_384

  /// What the engine's thread takes at a time.
  struct Contents {
    var bytes: [UInt8] = []
    /// Where each message ends in the bytes.
    var ends: [Int] = []
    var position: String?
    /// How the source ended, nil while it goes on; an error's text, or nil in it where it returned.
    var end: String??
  }

  private struct State {
    var contents = Contents()
    var isClosed = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  /// Readable while there is something to take.
  let descriptor: Int32

  /// Makes an empty queue.
  init() throws(SystemFailure) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemFailure.last }
  }

  deinit { Glibc.close(descriptor) }

  /// Adds a message when there is room.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or the queue is closed.
  func add(_ message: [UInt8], position: String?) async throws {
    while true {
      let isAdded = state.withLock { state in
        guard !state.isClosed, !Task.isCancelled else { return Bool?.none }
        let waiting = state.contents.bytes.count
        let isFull = waiting + message.count > Self.capacity && waiting > 0
        guard !isFull, state.contents.ends.count < Self.messageCapacity else { return false }
        state.contents.bytes += message
        state.contents.ends.append(state.contents.bytes.count)
        if let position { state.contents.position = position }
        return true
      }
      guard let isAdded else { throw CancellationError() }
      if isAdded { return wake() }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let mayGoOn = state.withLock { state in
            if state.isClosed || Task.isCancelled || state.contents.ends.isEmpty { return true }
            state.waiting.append(continuation)
            return false
          }
          if mayGoOn { continuation.resume() }
        }
      } onCancel: {
        resumeAll()
      }
    }
  }

  /// Notes the end of the source: the text of an error, or nil where there are no more messages.
  func finish(_ failure: String?) {
    state.withLock { $0.contents.end = .some(failure) }
    wake()
  }

  /// Takes what there is, and lets senders go on.
  func take() -> Contents {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
    let contents = state.withLock { state in
      defer { state.contents = Contents() }
      return state.contents
    }
    resumeAll()
    return contents
  }

  /// Takes nothing any more; senders are told.
  func close() {
    state.withLock { $0.isClosed = true }
    resumeAll()
  }

  private func resumeAll() {
    let waiting = state.withLock { state in
      defer { state.waiting.removeAll() }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }
}
