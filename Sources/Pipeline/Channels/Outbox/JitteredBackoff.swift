/// Waits that double with each failure and are drawn at random below that bound, so that many who failed
/// together don't come back together.
struct JitteredBackoff: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Draws the wait after a number of failures, from 100 ms up to the doubled bound.
  mutating func wait(afterFailures failures: Int, policy: DeliveryPolicy) -> Milliseconds {
    let cap = max(policy.longestRetry.count, 1)
    var bound = min(max(policy.firstRetry.count, 1), cap)
    for _ in 1..<max(failures, 1) where bound < cap {
      bound = min(bound.addingReportingOverflow(bound).0, cap)
    }
    guard bound > 100 else { return Milliseconds(bound) }
    return Milliseconds(100 + Int64(next() % UInt64(bound - 99)))
  }

  /// SplitMix64 (Steele, Lea, Flood 2014): small, and good enough to spread waits.
  private mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
