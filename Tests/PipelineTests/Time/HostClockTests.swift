import Testing

@testable import Pipeline

@Suite("The host's clock")
struct HostClockTests {
  /// Both clocks, with a step of the system's after ten seconds, looked at each second.
  private static func times(step: Int64, seconds: Int) -> (clock: HostClock, times: [Int64]) {
    var clock = HostClock()
    let times = (0..<seconds).map { second in
      let system = 1_000_000_000 + Int64(second) * 1_000 + (second >= 10 ? step : 0)
      return clock.now(
        system: Timestamp(milliseconds: system), counted: 5_000_000_000 + UInt64(second) * 1_000_000_000
      ).milliseconds - 1_000_000_000
    }
    return (clock, times)
  }

  @Test("It follows the system's clock, and small corrections are no news", arguments: [0, 900, -900])
  func follows(step: Int64) {
    var (clock, times) = Self.times(step: step, seconds: 60)
    #expect(clock.takeStep() == nil)
    #expect(times == times.sorted())
    #expect(times.last == 59_000 + step)
  }

  @Test("Set forward it follows at once, and tells by how much")
  func forward() {
    var (clock, times) = Self.times(step: 3_600_000, seconds: 20)
    #expect(clock.takeStep() == .minutes(60))
    #expect(clock.takeStep() == nil)
    #expect(times[9...11] == [9_000, 3_610_000, 3_611_000])
  }

  @Test("Set back it goes on, a tenth slower, until the other clock has caught up")
  func back() throws {
    var (clock, times) = Self.times(step: -60_000, seconds: 800)
    #expect(clock.takeStep() == Milliseconds(-60_000))
    #expect(times == times.sorted())
    #expect(times[9...12] == [9_000, 9_900, 10_800, 11_700])
    for (earlier, later) in zip(times[10...500], times[11...501]) { #expect(later - earlier == 900) }
    let last = try #require(times.last)
    #expect(last == 739_000)
  }

  @Test("Many looks within a millisecond don't make it stand still")
  func quickLooks() {
    var clock = HostClock()
    var given: [Int64] = []
    for look in 0..<200_000 {
      // A look every 10 µs for two seconds; the clock is set back by an hour in the middle.
      let millisecond = Int64(look) / 100
      let system = Timestamp(milliseconds: 10_000_000 + millisecond - (look >= 100_000 ? 3_600_000 : 0))
      given.append(clock.now(system: system, counted: UInt64(look) * 10_000).milliseconds)
    }
    #expect(given == given.sorted())
    // One millisecond at a time rounds to whole ones: it may be as fast as the other clock, never stand still.
    #expect(given[199_999] - given[100_000] >= 850)
    #expect(clock.takeStep().map { $0 < .minutes(-59) } ?? false)
  }
}
