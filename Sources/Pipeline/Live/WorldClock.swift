import CEvents
import Glibc
import Synchronization

/// The host's clock, for all threads that stamp what happens.
final class WorldClock: Sendable {
  private let clock = Mutex(HostClock())

  /// The time.
  func now() -> Timestamp {
    clock.withLock { clock in
      var time = timespec()
      clock_gettime(CLOCK_BOOTTIME, &time)
      let counted = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
      return clock.now(system: .systemClock(), counted: counted)
    }
  }

  /// How far the system's clock was set since the last call; nil if it wasn't.
  func takeStep() -> Milliseconds? { clock.withLock { $0.takeStep() } }
}
