/// One alert on its way to one channel.
package struct OutboxRow: Sendable, Hashable {
  package var alert: Alert
  /// The name of the channel it goes to.
  package var channel: String
  /// The channel it was first meant for; another one when it comes by way of a fallback.
  package var origin: String
  /// How many attempts were made.
  package var attempt: Int
  /// When the next attempt is due.
  package var notBefore: Timestamp
  /// When it was queued, or let go after it was held or silenced; its age is counted from here.
  package var queued: Timestamp
  /// The hours in which its route holds it back, nil if it holds nothing or not this one.
  package var hold: DailyHours?
  /// When the hours in which it is held end, nil while it isn't held.
  package var heldUntil: Timestamp?
  /// Whether it waits for the end of a silence.
  package var isSilenced = false
  /// How many alerts, held before this one, its digest only counts.
  package var omitted = 0

  /// Makes a row for an alert that waits for its first attempt.
  package init(
    alert: Alert, channel: String, origin: String? = nil, attempt: Int = 0, notBefore: Timestamp? = nil,
    queued: Timestamp
  ) {
    self.alert = alert
    self.channel = channel
    self.origin = origin ?? channel
    self.attempt = attempt
    self.notBefore = notBefore ?? queued
    self.queued = queued
  }

  /// What a receiver recognises a repeat by: the alert's id and the channel.
  package var id: String { "\(alert.id)-\(channel)" }

  package var deliveryKey: DeliveryKey { DeliveryKey(alert: alert.id, channel: channel) }
}

/// What identifies a delivery: the alert's id and the channel's name.
package struct DeliveryKey: Sendable, Hashable {
  package var alert: String
  package var channel: String

  /// Makes a key from an alert's id and a channel's name.
  package init(alert: String, channel: String) {
    self.alert = alert
    self.channel = channel
  }
}
