import Pipeline
import Testing

@Suite struct LogThrottleTests {
  private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

  @Test func `twenty lines of an origin pass in ten seconds, the rest is counted when these are over`() {
    var throttle = LogThrottle()
    let passed = (0..<50).filter { throttle.admits(origin: "a", at: at(Int64($0))) }
    #expect(passed == Array(0..<20))
    #expect(throttle.nextEnd == at(10_000))
    let held1 = throttle.close(at: at(9_999))
    #expect(held1.isEmpty)
    let held2 = throttle.close(at: at(10_000))
    #expect(held2 == [.init(origin: "a", lines: 30)])
    let isAdmitted = throttle.admits(origin: "a", at: at(10_000))
    #expect(isAdmitted)
  }

  @Test func `a flood of one origin holds back no other`() {
    var throttle = LogThrottle()
    for _ in 0..<100 { _ = throttle.admits(origin: "a", at: at(0)) }
    let isAdmitted = throttle.admits(origin: "b", at: at(0))
    #expect(isAdmitted)
    let held3 = throttle.closeAll()
    #expect(held3 == [.init(origin: "a", lines: 80)])
  }

  @Test func `a clock that is set back closes what would never end`() {
    var throttle = LogThrottle()
    for _ in 0..<21 { _ = throttle.admits(origin: "a", at: at(1_000_000)) }
    let held4 = throttle.close(at: at(0))
    #expect(held4 == [.init(origin: "a", lines: 1)])
  }
}
