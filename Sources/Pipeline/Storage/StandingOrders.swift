/// What users ask of alerts from outside the host: rules to be silent about, dead letters to send again.
package struct StandingOrders: Sendable, Hashable {
  /// Grows whenever something else changed.
  package var version = 0
  /// Those that have not ended, and those that ended lately.
  package var silences: [Silence] = []
  /// The dead letters to send again, each until a commit names it in ``Commit/resent``.
  package var resends: [Resend] = []

  /// Makes orders of nothing.
  package init() {}

  /// A dead letter to send again.
  package struct Resend: Sendable, Hashable {
    package var number: Int64
    package var alert: Alert
    package var channel: String

    /// Makes an order from its parts.
    package init(number: Int64, alert: Alert, channel: String) {
      self.number = number
      self.alert = alert
      self.channel = channel
    }
  }
}
