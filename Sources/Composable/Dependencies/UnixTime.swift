internal import Glibc

/// A point in time as a span since 1970-01-01 UTC, without leap seconds.
public struct UnixTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The span since 1970-01-01 UTC; negative before.
  public var sinceEpoch: Duration

  /// Makes a point in time.
  public init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

  /// Makes a point in time from whole seconds since 1970-01-01 UTC.
  public init(seconds: Int64) { self.init(sinceEpoch: .seconds(seconds)) }

  /// The system's time now.
  public static func systemNow() -> Self {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Self(sinceEpoch: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }

  /// Whether the first comes before the second.
  public static func < (a: Self, b: Self) -> Bool { a.sinceEpoch < b.sinceEpoch }
  /// The point a span later.
  public static func + (a: Self, b: Duration) -> Self { Self(sinceEpoch: a.sinceEpoch + b) }
  /// The span from the second to the first.
  public static func - (a: Self, b: Self) -> Duration { a.sinceEpoch - b.sinceEpoch }

  /// The text that failure texts and logs show.
  public var description: String { "\(sinceEpoch) since 1970" }
}
