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
  /// When it was queued; its age is counted from here.
  package var queued: Timestamp

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
