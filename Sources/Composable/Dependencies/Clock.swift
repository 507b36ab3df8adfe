internal import Synchronization

/// The clock that features wait on.
public enum ClockKey: DependencyKey {
  /// What failure texts call it.
  public static let name = "clock"
  /// The value in a program.
  public static var live: any Clock<Duration> { ContinuousClock() }
  /// The value in a test: it reports each use.
  public static var test: any Clock<Duration> { UnimplementedClock() }
}

extension Dependencies {
  /// The clock that features wait on: the system's continuous clock in a program, one that is moved by hand
  /// in a test store.
  public var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }
}

/// A clock that reports its use in a test and doesn't wait.
public struct UnimplementedClock: Clock {
  /// A point in time of this clock.
  public typealias Instant = ContinuousClock.Instant

  /// Makes the clock.
  public init() {}

  /// The time of this clock.
  public var now: Instant {
    reportUnimplemented(ClockKey.name)
    return ContinuousClock().now
  }

  /// The smallest span this clock can measure.
  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  /// Waits until a point in time, or throws `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    reportUnimplemented(ClockKey.name)
    throw UnimplementedDependency(ClockKey.name)
  }
}

/// A clock on which every wait ends at once; time moves to the end of each wait.
public final class ImmediateClock: Clock, Sendable {
  /// A point in time of this clock.
  public typealias Instant = VirtualInstant

  private let time = Mutex(Duration.zero)

  /// Makes a clock at zero.
  public init() {}

  /// The time of this clock.
  public var now: Instant { Instant(offset: time.withLock { $0 }) }
  /// The smallest span this clock can measure.
  public var minimumResolution: Duration { .zero }

  /// Waits until a point in time, or throws `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline.offset) }
  }
}

/// A point in time of a clock that isn't tied to the world.
public struct VirtualInstant: InstantProtocol, Sendable, Hashable {
  /// The time since the clock was made.
  public var offset: Duration

  /// Makes a point in time.
  public init(offset: Duration) { self.offset = offset }

  /// The point a span later.
  public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
  /// The span from this point to another.
  public func duration(to other: Self) -> Duration { other.offset - offset }
  /// Whether the first comes before the second.
  public static func < (a: Self, b: Self) -> Bool { a.offset < b.offset }
}
