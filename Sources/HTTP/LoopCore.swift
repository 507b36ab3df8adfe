internal import CCurl
internal import Synchronization
internal import Threads

/// What a ``TransferLoop`` and its thread share.
final class LoopCore: Sendable {
  struct Start: Sendable {
    var id: UInt64
    var request: TransferRequest
    var waiter: CheckedContinuation<TransferAnswer, any Error>
  }

  struct Commands: Sendable {
    var starts: [Start] = []
    var cancelled: Set<UInt64> = []
    var isClosed = false
  }

  private struct State {
    var commands = Commands()
    var hasEnded = false
  }

  private static let globalStatus = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  /// Used by the thread alone, except to wake it, which libcurl allows from anywhere.
  nonisolated(unsafe) let multi: UnsafeMutableRawPointer
  private let state = Mutex(State())

  /// Starts the thread.
  init() throws(TransferFailure) {
    guard Self.globalStatus == CURLE_OK, let multi = curl_multi_init() else { throw .outOfMemory }
    self.multi = multi
    do throws(SystemFailure) {
      try DedicatedThread.start { [self] in LoopThread(self).run() }
    } catch {
      curl_multi_cleanup(multi)
      throw TransferFailure(.resources, "can't start a thread for requests: \(error.description)")
    }
  }

  /// Hands something to the thread; false once that has ended.
  @discardableResult
  func hand(_ change: (inout Commands) -> Void) -> Bool {
    state.withLock { state in
      guard !state.hasEnded else { return false }
      change(&state.commands)
      curl_multi_wakeup(multi)
      return true
    }
  }

  /// Takes what was handed over.
  func take() -> Commands {
    state.withLock { state in
      defer { state.commands = Commands(isClosed: state.commands.isClosed) }
      return state.commands
    }
  }

  /// Frees what the thread used, its last call; returns what was handed over meanwhile.
  func end() -> Commands {
    let rest = state.withLock { state in
      state.hasEnded = true
      return state.commands
    }
    curl_multi_cleanup(multi)
    return rest
  }
}
