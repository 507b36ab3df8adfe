/// An alert as people read it in a chat: a heading, its text, and a line about where it comes from.
struct ChatMessage: Sendable, Hashable {
  var heading: String
  var text: String
  var footer: String

  /// Words an alert, without whatever could turn lines around or drive a display.
  init(_ alert: Alert) {
    let word =
      switch (alert.kind, alert.severity) {
      case (.resolved, _): "RESOLVED"
      case (_, .info): "INFO"
      case (_, .warning): "WARNING"
      case (_, .critical): "CRITICAL"
      }
    heading = "\(word): \(alert.name.printable)"
    if !alert.key.isEmpty { heading += " [\(alert.key.printable)]" }
    if alert.kind == .reminder { heading += " (reminder)" }
    text = alert.text.replacing("\r\n", with: "\n").replacing("\t", with: "  ").split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map { String($0).printable }.joined(separator: "\n")
    let labels = alert.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    footer =
      ([alert.time.rfc3339(fraction: false), alert.script] + labels).joined(separator: " · ").printable
  }
}
