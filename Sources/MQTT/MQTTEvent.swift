/// What a ``MQTTConnection`` reports.
package enum MQTTEvent: Sendable, Hashable {
  /// The broker has accepted the client; whether it still knew its session.
  case opened(isResumed: Bool)
  /// The broker refused to send what a filter asks for.
  case refused(filter: String)
  case message(topic: String, payload: [UInt8], isRetained: Bool)
  /// A message beyond the bound, which was passed over.
  case tooLong(topic: String, bytes: Int)
  /// The end: why there is no connection, or none any more, in one sentence.
  case failed(MQTTFailure)
}

/// Why there is no connection, in one sentence without secrets.
package struct MQTTFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The broker's own code where it refused the client, as 5 for one that isn't authorised.
  package var code: Int?
  /// Whether another attempt can't go better.
  package var isPermanent: Bool
  package var description: String

  /// Makes a failure.
  package init(_ description: String, code: Int? = nil, isPermanent: Bool = false) {
    self.description = description
    self.code = code
    self.isPermanent = isPermanent
  }
}
