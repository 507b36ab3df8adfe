/// When a script that keeps running into its limits is left alone for a while, and for how long.
///
/// Three ends by a limit in a row suspend it; each further time waits twice as long, up to an hour. A message
/// that gets through clears the count.
struct Suspension {
  static let limit = 3
  static let first = Milliseconds.seconds(10)
  static let longest = Milliseconds.minutes(60)

  private var endsInARow = 0
  private var times = 0
  /// Until when the script is left alone.
  private(set) var until: Timestamp?

  /// Whether a message at this time is to be skipped.
  mutating func isActive(at time: Timestamp) -> Bool {
    guard let until else { return false }
    if time < until { return true }
    self.until = nil
    return false
  }

  /// Notes that a handler was ended by a limit; returns how long the script is left alone from now, nil for
  /// not at all.
  mutating func ended(at time: Timestamp) -> Milliseconds? {
    endsInARow += 1
    guard endsInARow >= Self.limit else { return nil }
    endsInARow = 0
    var wait = Self.first
    for _ in 0..<min(times, 20) where wait < Self.longest {
      wait = min(Milliseconds(wait.count * 2), Self.longest)
    }
    times += 1
    until = time + wait
    return wait
  }

  /// Notes that messages got through since the last end.
  mutating func passed() {
    endsInARow = 0
    if until == nil { times = 0 }
  }
}
