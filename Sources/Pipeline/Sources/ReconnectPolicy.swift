import Scripting

/// How long to wait before each attempt to connect again: full jitter under a doubling, capped bound.
///
/// Full jitter spreads clients that lost the same server at the same moment over the whole wait.
package struct ReconnectPolicy: Sendable, Hashable {
  /// Whether a lost connection is opened again at all.
  package var isEnabled: Bool
  /// The bound of the first wait.
  package var first: Milliseconds
  /// The bound that no wait exceeds.
  package var cap: Milliseconds
  /// The attempts without data after which the source is given up; nil for never.
  package var maximumAttempts: Int?

  /// Makes a policy.
  package init(
    isEnabled: Bool = true, first: Milliseconds = .seconds(1), cap: Milliseconds = .seconds(60),
    maximumAttempts: Int? = nil
  ) {
    self.isEnabled = isEnabled
    self.first = first
    self.cap = cap
    self.maximumAttempts = maximumAttempts
  }

  /// Takes the policy from the options of a `reconnect` table.
  init(fields: FieldReader) {
    self.init(
      isEnabled: fields.boolean("enabled"), first: fields.duration("first"), cap: fields.duration("cap"),
      maximumAttempts: fields.optionalInteger("max_attempts").map { Int($0) })
  }

  /// The longest wait after a number of attempts that brought no data.
  package func bound(afterFailures failures: Int) -> Milliseconds {
    guard failures < 62 else { return cap }
    let (bound, overflow) = first.count.multipliedReportingOverflow(by: 1 << Int64(max(failures, 0)))
    return overflow ? cap : min(Milliseconds(bound), cap)
  }

  /// A wait drawn evenly from nothing up to the bound.
  package func delay(afterFailures failures: Int, random: (ClosedRange<Int64>) -> Int64) -> Milliseconds {
    Milliseconds(random(0...max(bound(afterFailures: failures).count, 0)))
  }

  /// The options of a `reconnect` table.
  static let fields: [FieldSpec] = [
    FieldSpec(
      "enabled", .boolean, default: true,
      help: "Whether a connection that ended in any way is opened again"),
    FieldSpec(
      "first", .duration(Milliseconds(1)...Milliseconds.minutes(60)), default: "1s",
      help: "The longest first wait; the wait is drawn at random below it, and it doubles with each attempt "
        + "until data has flowed"),
    FieldSpec(
      "cap", .duration(Milliseconds(1)...Milliseconds.minutes(24 * 60)), default: "60s",
      help: "The longest wait between two attempts"),
    FieldSpec(
      "max_attempts", .integer(1...1_000_000), unit: "attempts",
      help: "The attempts in a row that bring no data after which the source is given up with an alert, and "
        + "the program ends once it has no other; without it there is no end"),
  ]
}
