/// A way out to people or to other programs.
///
/// Deliveries of one channel come one after the other; a channel bounds its own time and never lets one
/// hang for ever.
package protocol Channel: Sendable {
  /// The name that the configuration gave it.
  var name: String { get }

  /// Tells an alert, and says what became of it.
  ///
  /// The id is the same at each repeat of this delivery, so that a receiver can recognise one.
  func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome

  /// Whether it asks at a start for the alerts that go on: see ``resume(_:)``.
  var followsEpisodes: Bool { get }

  /// Takes note at a start of the alerts that it told before and whose end is still to come.
  func resume(_ alerts: [Alert]) async

  /// Ends what it does on its own, at the host's end.
  func close() async
}

extension Channel {
  package var followsEpisodes: Bool { false }
  package func resume(_ alerts: [Alert]) async {}
  package func close() async {}
}

/// What became of one attempt to deliver an alert.
package enum DeliveryOutcome: Sendable, Hashable {
  case delivered
  /// Worth another attempt, not earlier than the receiver asked for if it did.
  case retry(after: Milliseconds?, reason: String)
  /// Not worth another attempt.
  case failed(reason: String)
}
