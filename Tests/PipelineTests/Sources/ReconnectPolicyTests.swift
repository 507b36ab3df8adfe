import Testing

@testable import Pipeline

@Suite("The wait before connecting again")
struct ReconnectPolicyTests {
  @Test("The bound doubles from the first wait up to the cap and stays there")
  func bounds() {
    let policy = ReconnectPolicy(first: .seconds(1), cap: .seconds(60))
    let bounds = [0, 1, 2, 5, 6, 7, 61, 62, 63, 64, 1_000, .max].map { policy.bound(afterFailures: $0) }
    #expect(bounds == [1, 2, 4, 32, 60, 60, 60, 60, 60, 60, 60, 60].map { Milliseconds.seconds($0) })
  }

  @Test("A bound never exceeds the cap, even where the first wait does")
  func capBelowFirst() {
    #expect(ReconnectPolicy(first: .seconds(5), cap: .seconds(2)).bound(afterFailures: 0) == .seconds(2))
  }

  @Test("The wait is drawn from nothing up to the bound")
  func jitter() {
    let policy = ReconnectPolicy(first: .seconds(1), cap: .seconds(60))
    var asked: [ClosedRange<Int64>] = []
    let delay = policy.delay(afterFailures: 3) { range in
      asked.append(range)
      return 1_234
    }
    #expect(delay == Milliseconds(1_234))
    #expect(asked == [0...8_000])
  }
}
