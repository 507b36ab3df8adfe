/// How hard a channel tries, how fast it may go, and what becomes of what it can't deliver.
package struct DeliveryPolicy: Sendable, Hashable {
  /// The longest wait before the second attempt; it doubles with each further one.
  package var firstRetry = Milliseconds.seconds(1)
  /// The bound of the doubling.
  package var longestRetry = Milliseconds.minutes(5)
  /// The attempts of one delivery before it is given up; by default 20, or 5 where there is a fallback.
  package var maximumAttempts: Int
  /// The age at which a delivery is no longer worth making; such ones are summed up in one message.
  package var maximumAge = Milliseconds.minutes(60)
  /// How many deliveries may begin within a span; nil for any number.
  package var pace: DeliveryPace?
  /// How long an attempt may go without an outcome before it counts as failed.
  package var timeout = Milliseconds.minutes(1)
  /// How many deliveries may wait; beyond it the oldest are summed up as expired ones are.
  package var maximumQueued = 10_000
  /// How many failures in a row mean that the channel is down.
  package var downAfter = 3
  /// Whether nothing is held back from it for a digest, as it shows each alert from its beginning to its end.
  package var isToldAtOnce = false
  /// The channel that takes over what this one can't deliver.
  package var fallback: String?

  /// Makes the default policy.
  package init(fallback: String? = nil) {
    self.fallback = fallback
    maximumAttempts = fallback == nil ? 20 : 5
  }
}

/// At most so many deliveries within any span of a length.
package struct DeliveryPace: Sendable, Hashable {
  /// The number of deliveries, at least one.
  package var count: Int
  package var span: Milliseconds

  /// Makes a pace of at most `count` deliveries within each `span`.
  package init(_ count: Int, per span: Milliseconds) {
    self.count = count
    self.span = span
  }
}
