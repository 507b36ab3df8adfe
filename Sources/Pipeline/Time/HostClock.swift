/// The host's own clock: it follows the system's and never goes back, so that messages and timers keep their order.
///
/// When the system's clock is set back, this one goes on by the clock that only counts, a tenth slower, until the other
/// has caught up: no timer stands still and none is more than a tenth late. When that is set forward, this one follows
/// at once. Pure: both clocks are given.
struct HostClock: Sendable {
  /// By how much the two clocks must differ between two looks to count as set by hand or by a time service.
  static let tolerance = Milliseconds.seconds(1)

  /// What both clocks showed at the last look, and the time given then; nil before the first.
  private var last: (given: Timestamp, system: Timestamp, counted: UInt64)?
  /// What is left of whole milliseconds while this clock goes by the counting one, in nanoseconds.
  private var rest: UInt64 = 0
  /// How far the system's clock was set since ``takeStep()``, back below zero.
  private var step = Milliseconds.zero

  /// Gives the time for the readings of the system's clock and of one that counts nanoseconds, also while the machine
  /// sleeps.
  mutating func now(system: Timestamp, counted: UInt64) -> Timestamp {
    guard let last else {
      self.last = (system, system, counted)
      return system
    }
    let passed = counted - min(last.counted, counted)
    let difference = Milliseconds((system - last.system).count - Int64(clamping: passed / 1_000_000))
    if difference > Self.tolerance || difference < Milliseconds(-Self.tolerance.count) {
      step = Milliseconds(step.count + difference.count)
    }
    var given = system
    if system < last.given {
      rest += passed / 10 * 9
      given = last.given + Milliseconds(Int64(clamping: rest / 1_000_000))
      rest %= 1_000_000
    }
    self.last = (given, system, counted)
    return given
  }

  /// How far the system's clock was set since the last call, back below zero; nil if it wasn't.
  mutating func takeStep() -> Milliseconds? {
    defer { step = .zero }
    return step == .zero ? nil : step
  }
}
