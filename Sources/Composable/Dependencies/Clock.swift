internal import Synchronization

/// The clock that features wait on.
public enum ClockKey: DependencyKey {
  public static let name = "clock"
  public static var live: any Clock<Duration> { ContinuousClock() }
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
  public typealias Instant = ContinuousClock.Instant

  /// Makes the clock.
  public init() {}

  public var now: Instant {
    reportUnimplemented(ClockKey.name)
    return ContinuousClock().now
  }

  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    reportUnimplemented(ClockKey.name)
    throw UnimplementedDependency(ClockKey.name)
  }
}

/// A clock on which every wait ends at once; time moves to the end of each wait.
public final class ImmediateClock: Clock, Sendable {
  public typealias Instant = VirtualInstant

  private let time = Mutex(Duration.zero)

  /// Makes a clock at zero.
  public init() {}

  public var now: Instant { Instant(offset: time.withLock { $0 }) }
  public var minimumResolution: Duration { .zero }

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

  public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
  public func duration(to other: Self) -> Duration { other.offset - offset }
  public static func < (a: Self, b: Self) -> Bool { a.offset < b.offset }
}
