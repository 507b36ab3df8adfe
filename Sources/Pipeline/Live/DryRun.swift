import Composable

/// A channel that delivers nothing, and says what it would have delivered.
struct DryRunChannel: Channel {
  let name: String
  let log: LogSink

  func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome {
    let what =
      alert.kind == .published
      ? alert.text : "\(alert.kind.rawValue), \(alert.severity.name): \(alert.name): \(alert.text)"
    log(.info, name, "not delivered in a dry run: \(what)")
    return .delivered
  }
}

extension EngineClient {
  /// The same client, but what scripts send outside stays here, and is told instead. A request is told that it was not
  /// sent.
  func keepingInside(log: @escaping LogSink, sourceNames: [String]) -> EngineClient {
    var client = self
    client.send = { source, text in log(.info, sourceNames[source], "not sent in a dry run: \(text)") }
    client.request = { script, request in
      log(.info, script, "not sent in a dry run: \(request.method) to \(request.host)")
      return .send(.replied(script: script, request, WebReply(error: "dry_run")))
    }
    return client
  }
}
