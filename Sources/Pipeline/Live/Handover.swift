import Synchronization

/// The result of a commit, on its way from the storage's thread to whoever waits for it.
final class Handover: Sendable {
  typealias Outcome = Result<Void, StorageError>

  private enum State: Sendable {
    case open
    case awaited(CheckedContinuation<Outcome, Never>)
    case finished(Outcome)
  }

  private let state = Mutex(State.open)

  /// Sets the result, once.
  func finish(_ result: Outcome) {
    let waiter: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      defer { state = .finished(result) }
      if case .awaited(let continuation) = state { return continuation }
      return nil
    }
    waiter?.resume(returning: result)
  }

  /// The result, if it is there already.
  var finished: Outcome? {
    state.withLock { if case .finished(let result) = $0 { result } else { nil } }
  }

  /// Waits for the result; by one task only.
  var result: Outcome {
    get async {
      await withCheckedContinuation { continuation in
        let finished: Outcome? = state.withLock { state in
          if case .finished(let result) = state { return result }
          state = .awaited(continuation)
          return nil
        }
        if let finished { continuation.resume(returning: finished) }
      }
    }
  }
}

extension Handover.Outcome {
  /// Why it failed; nil if it went well.
  var failure: StorageError? { if case .failure(let error) = self { error } else { nil } }
}
