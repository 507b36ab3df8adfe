/// The clock that features wait on.
public enum ClockKey: DependencyKey {
  public static let name = "clock"
  public static var live: any Clock<Duration> { ContinuousClock() }
  public static var test: any Clock<Duration> { ContinuousClock() }
}

extension Dependencies {
  /// The clock that features wait on: the system's continuous clock in a program, one that is moved by hand
  /// in a test.
  public var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }
}
