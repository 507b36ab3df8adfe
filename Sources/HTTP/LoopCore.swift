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

  /// Hands something to the thread; no more once it has ended.
  func hand(_ change: (inout Commands) -> Void) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      change(&state.commands)
      curl_multi_wakeup(multi)
    }
  }

  /// Takes what was handed over.
  func take() -> Commands {
    state.withLock { state in
      defer { state.commands = Commands(isClosed: state.commands.isClosed) }
      return state.commands
    }
  }

  /// Frees what the thread used; its last call.
  func end() {
    state.withLock { $0.hasEnded = true }
    curl_multi_cleanup(multi)
  }
}
