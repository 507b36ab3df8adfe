import Composable

/// A channel that makes one request of each alert.
struct HTTPChannel: Channel {
  let name: String
  let receiver: HTTPReceiver
  /// Makes other bodies than those of the requests.
  var body: BodyFunction?
  /// The request for an alert and the id of its delivery.
  let request: @Sendable (Alert, String) -> HTTPClient.Request

  func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome {
    var request = request(alert, id)
    if let body { request.body = await body.body(of: alert, id: id) }
    return await receiver.deliver(request)
  }

  func close() async { body?.close() }
}
