import Glibc
import Pipeline
import WebSocket

/// Holds a replay back to a multiple of the speed at which it was recorded.
struct ReplayPace {
  /// How long a wait may last without a look whether it is still wanted.
  private static let step: UInt64 = 50_000_000

  private let speed: Double
  private let begin: Timestamp
  private let start = monotonicNanoseconds()
  private let isStopped: () -> Bool

  /// Begins now with the first time of the recording.
  init(speed: Double, begin: Timestamp, isStopped: @escaping () -> Bool) {
    self.speed = speed
    self.begin = begin
    self.isStopped = isStopped
  }

  /// Waits until a time of the recording has come; false when it was stopped before.
  func wait(until time: Timestamp) -> Bool {
    let ahead = Double(max((time - begin).count, 0)) * 1e6 / speed
    let due = start + UInt64(min(ahead, 9e18))
    while !isStopped() {
      let now = monotonicNanoseconds()
      guard now < due else { return true }
      let span = min(due - now, Self.step)
      var request = timespec(tv_sec: Int(span / 1_000_000_000), tv_nsec: Int(span % 1_000_000_000))
      nanosleep(&request, nil)
    }
    return false
  }
}
