internal import Synchronization

/// Requests over the network, all of them on one thread of libcurl's multi interface.
///
/// The thread starts with the first request and ends with the loop.
package final class TransferLoop: Sendable {
  private let core = Mutex<LoopCore?>(nil)
  private let lastID = Atomic<UInt64>(0)

  /// Makes a loop without a thread yet.
  package init() {}

  deinit {
    core.withLock { $0 }?.hand { $0.isClosed = true }
  }

  /// Carries out a request and returns its answer, whatever the answer says.
  ///
  /// A cancelled task ends its request at once, and the connection with it.
  ///
  /// - Throws: ``TransferFailure``, or `CancellationError`.
  package func perform(_ request: TransferRequest) async throws -> TransferAnswer {
    let core = try started()
    // The thread ends with the loop.
    defer { withExtendedLifetime(self) {} }
    let id = lastID.add(1, ordering: .relaxed).newValue
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let start = LoopCore.Start(id: id, request: request, waiter: waiter)
        guard core.hand({ $0.starts.append(start) }) else {
          waiter.resume(throwing: CancellationError())
          return
        }
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { core.hand { $0.cancelled.insert(id) } }
      }
    } onCancel: {
      core.hand { $0.cancelled.insert(id) }
    }
  }

  private func started() throws(TransferFailure) -> LoopCore {
    try core.withLock { core throws(TransferFailure) in
      if let core { return core }
      let made = try LoopCore()
      core = made
      return made
    }
  }
}
