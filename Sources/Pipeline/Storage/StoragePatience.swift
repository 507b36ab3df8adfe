import CSQLite
import Glibc
import Synchronization

/// How long a database waits for another process's lock: a time for each wait, and an end for all of them, and for
/// whatever else takes long, once somebody is in a hurry.
final class StoragePatience: Sendable {
  private struct State {
    var begin = ContinuousClock.now
    var end: ContinuousClock.Instant?
    /// The address of the connection that does what can be put off; zero for none.
    var putsOff: UInt = 0
  }

  private let timeout: Duration
  private let state = Mutex(State())

  /// Makes a patience of so many milliseconds for each wait.
  init(_ milliseconds: Int32) { timeout = .milliseconds(milliseconds) }

  /// Ends the wait that is going on, and all later ones, after a time; what can be put off ends at once.
  func end(within time: Milliseconds) {
    state.withLock { state in
      state.end = .now + .milliseconds(time.count)
      if let connection = OpaquePointer(bitPattern: state.putsOff) { sqlite3_interrupt(connection) }
    }
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

  /// Whether somebody is in a hurry.
  var isHurried: Bool { state.withLock { $0.end != nil } }

  /// Whether the time of whoever is in a hurry is over.
  var isOver: Bool { state.withLock { $0.end.map { $0 <= .now } ?? false } }

  /// Does with a connection what a later start can do as well, unless somebody is in a hurry.
  func unhurried(_ connection: OpaquePointer, _ work: () -> Void) {
    let mayBegin = state.withLock { state in
      if state.end == nil { state.putsOff = UInt(bitPattern: connection) }
      return state.end == nil
    }
    guard mayBegin else { return }
    work()
    state.withLock { $0.putsOff = 0 }
  }
}
