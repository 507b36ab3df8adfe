/// A point in time, in whole milliseconds since 1970-01-01 UTC.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01 UTC; negative before.
  public var milliseconds: Int64

  /// Makes a point in time from milliseconds since 1970-01-01 UTC.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether the first is earlier.
  public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

  /// The point a number of milliseconds later, clamped to the range of `Int64`.
  public static func + (a: Self, duration: Milliseconds) -> Self {
    let (sum, overflow) = a.milliseconds.addingReportingOverflow(duration.count)
    return Self(milliseconds: overflow ? (duration.count > 0 ? .max : .min) : sum)
  }

  /// The span from the second point to the first.
  public static func - (a: Self, b: Self) -> Milliseconds {
    let (difference, overflow) = a.milliseconds.subtractingReportingOverflow(b.milliseconds)
    return Milliseconds(overflow ? (a > b ? .max : .min) : difference)
  }
}

/// A span of time in whole milliseconds, the resolution of everything a script or a configuration can say.
public struct Milliseconds: Sendable, Hashable, Comparable {
  /// The number of milliseconds; negative for a span backwards.
  public var count: Int64

  /// Makes a span from a number of milliseconds.
  public init(_ count: Int64) { self.count = count }

  /// Whether the first is shorter.
  public static func < (a: Self, b: Self) -> Bool { a.count < b.count }

  /// A span of whole seconds.
  public static func seconds(_ seconds: Int64) -> Self { Self(seconds * 1_000) }

  /// A span of whole minutes.
  public static func minutes(_ minutes: Int64) -> Self { Self(minutes * 60_000) }

  /// No time at all.
  public static let zero = Self(0)
}
