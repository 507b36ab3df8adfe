/// When to look at files that keep changing: once they have been left alone for a moment, and in any case after a
/// while. Times are monotonic, in nanoseconds.
struct Coalescing {
  static let quiet: UInt64 = 100_000_000
  static let longest: UInt64 = 1_000_000_000

  private var first: UInt64?
  /// When to look, nil for not at all.
  private(set) var due: UInt64?

  /// Something changed.
  mutating func changed(at now: UInt64) {
    let begin = first ?? now
    first = begin
    due = min(now + Self.quiet, begin + Self.longest)
  }

  /// Whether it is time to look; then everything begins anew.
  mutating func isDue(at now: UInt64) -> Bool {
    guard let due, due <= now else { return false }
    self = Self()
    return true
  }
}
