import Glibc
import Synchronization

/// How long a database waits for another process's lock: a time for each wait, and an end for all of them once
/// somebody is in a hurry.
final class LockPatience: Sendable {
  private struct State {
    var begin = ContinuousClock.now
    var end: ContinuousClock.Instant?
  }

  private let timeout: Duration
  private let state = Mutex(State())

  /// Makes a patience of so many milliseconds for each wait.
  init(_ milliseconds: Int32) { timeout = .milliseconds(milliseconds) }

  /// Ends the wait that is going on, and all later ones, after a time.
  func end(within time: Milliseconds) {
    state.withLock { $0.end = .now + .milliseconds(time.count) }
  }

  /// Waits a little before the next try; false when it is time to give up.
  ///
  /// - Parameter tries: the tries that this wait has already had.
  func waits(tries: Int32) -> Bool {
    let now = ContinuousClock.now
    let end = state.withLock { state in
      if tries == 0 { state.begin = now }
      return min(state.begin + timeout, state.end ?? state.begin + timeout)
    }
    guard now < end else { return false }
    usleep(tries < 10 ? 1_000 : 20_000)
    return true
  }
}
