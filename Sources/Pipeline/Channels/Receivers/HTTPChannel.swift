import Composable

/// A channel that makes one request of each alert.
struct HTTPChannel: Channel {
  let name: String
  let receiver: HTTPReceiver
  /// The request for an alert and the id of its delivery.
  let request: @Sendable (Alert, String) -> HTTPClient.Request

  func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome {
    await receiver.deliver(request(alert, id))
  }
}
