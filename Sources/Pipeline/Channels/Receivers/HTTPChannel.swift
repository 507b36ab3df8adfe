import Composable
import Scripting

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

extension HTTPChannel {
  /// A channel that posts a body in JSON for each alert.
  static func posting(
    _ name: String, to url: String, receiver: HTTPReceiver, headers: [HTTPClient.Field] = [],
    body: @escaping @Sendable (Alert) -> Value
  ) -> HTTPChannel {
    HTTPChannel(name: name, receiver: receiver) { alert, _ in
      HTTPClient.Request(url, method: "POST", headers: [.json] + headers, body: Array(body(alert).json.utf8))
    }
  }
}

extension HTTPClient.Field {
  /// That the body is JSON.
  static var json: Self { Self("Content-Type", "application/json") }
}
