import HTTP
import Mail

/// Sends each alert as a mail whose Message-ID is the same at each repeat.
struct EmailChannel: Channel {
  let name: String
  let transport: MailTransport
  let sender: String
  let recipients: [String]
  let now: @Sendable () -> Timestamp

  func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome {
    do {
      try await transport.send(mail(alert, id: id))
      return .delivered
    } catch let failure as TransferFailure {
      switch failure.kind {
      // The server's permanent no (RFC 5321, section 4.2.1); 4xx may pass.
      case .refused(let code) where code >= 500: return .failed(reason: failure.description)
      case .invalid: return .failed(reason: failure.description)
      default: return .retry(after: nil, reason: failure.description)
      }
    } catch is CancellationError {
      return .retry(after: nil, reason: "the attempt was cancelled")
    } catch {
      return .retry(after: nil, reason: "\(error)")
    }
  }

  /// The mail of an alert.
  func mail(_ alert: Alert, id: String) -> MailMessage {
    let message = ChatMessage(alert)
    var text = message.text + "\n\n"
    for (name, value) in [
      ("time", alert.time.rfc3339()), ("severity", alert.severity.name), ("kind", alert.kind.rawValue),
      ("script", alert.script), ("rule", alert.name), ("key", alert.key),
      ("value", alert.value.map { "\($0)" } ?? ""),
    ] + alert.labels.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      text += "\(name): \(value)".printable + "\n"
    }
    return MailMessage(
      sender: sender, recipients: recipients,
      subject: message.heading.count > 200 ? "\(message.heading.prefix(200))…" : message.heading, text: text,
      id: id, date: now().mailDate)
  }
}
