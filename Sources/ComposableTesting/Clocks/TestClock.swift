public import Composable
internal import Synchronization

/// A clock that stands still until a test moves it.
public final class TestClock: Clock, Sendable {
  /// A point in time of this clock.
  public typealias Instant = VirtualInstant

  private struct Sleeper {
    let serial: UInt64
    let deadline: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Duration.zero
    var lastSerial: UInt64 = 0
    var sleepers: [Sleeper] = []
    // Cancelled before the wait had begun.
    var cancelled: Set<UInt64> = []
    var settle: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Makes a clock at zero.
  public init() {}

  /// The time of this clock.
  public var now: Instant { Instant(offset: state.withLock { $0.now }) }
  /// The smallest span this clock can measure.
  public var minimumResolution: Duration { .zero }

  /// How many tasks wait on this clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Waits until the clock is moved to a point in time, or throws `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let serial = state.withLock { state in
      state.lastSerial += 1
      return state.lastSerial
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = Sleeper(serial: serial, deadline: deadline.offset, continuation: continuation)
        let result: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(serial) != nil { return .failure(CancellationError()) }
          if sleeper.deadline <= state.now { return .success(()) }
          state.sleepers.append(sleeper)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let index = state.sleepers.firstIndex(where: { $0.serial == serial }) else {
          state.cancelled.insert(serial)
          return nil
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
    state.withLock { _ = $0.cancelled.remove(serial) }
  }

  /// Moves the clock, from due time to due time, and wakes those whose time has come.
  ///
  /// In a test store, all that a due time sets going comes to rest before the clock goes on to the next. A
  /// clock that no test store uses only wakes its sleepers.
  public func advance(by duration: Duration) {
    advance(to: Instant(offset: now.offset + duration))
  }

  /// Moves the clock to a point in time; one that has passed changes nothing.
  public func advance(to instant: Instant) {
    settle()
    while let sleeper = nextDue(by: instant.offset) {
      sleeper.continuation.resume()
      settle()
    }
    state.withLock { $0.now = max($0.now, instant.offset) }
    settle()
  }

  /// Moves the clock from due time to due time until nobody waits on it.
  ///
  /// - Parameter limit: How far to go at most; a timer that repeats would otherwise go on for ever.
  public func run(limit: Duration = .seconds(86_400)) {
    settle()
    let end = now.offset + limit
    while let sleeper = nextDue(by: end) {
      sleeper.continuation.resume()
      settle()
    }
  }

  /// Sets what brings everything to rest between two due times.
  func settle(with settle: @escaping @Sendable () -> Void) { state.withLock { $0.settle = settle } }

  private func settle() { state.withLock { $0.settle }?() }

  /// Takes the sleeper that is due first, those of one due time in the order of their coming.
  private func nextDue(by end: Duration) -> Sleeper? {
    state.withLock { state in
      let first = state.sleepers.indices.min {
        (state.sleepers[$0].deadline, state.sleepers[$0].serial)
          < (state.sleepers[$1].deadline, state.sleepers[$1].serial)
      }
      guard let first, state.sleepers[first].deadline <= end else { return nil }
      let sleeper = state.sleepers.remove(at: first)
      state.now = max(state.now, sleeper.deadline)
      return sleeper
    }
  }
}
