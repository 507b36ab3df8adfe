import Pipeline

/// What a replay came to.
struct ReplaySummary {
  /// The most names of alerts that are told apart.
  static let maximumNames = 20

  var messages = 0
  /// Messages that failed in a script or could not be read.
  var errors = 0
  var seconds = 0.0
  var unknownSources: [String: Int] = [:]
  var fileFailure: FileError?
  var outputFailure: OutputFailure?
  private var alerts = 0
  private var dropped = 0
  private var alertsByName: [String: Int] = [:]
  private var others = 0

  /// Counts an alert; a dropped one has no route.
  mutating func count(_ alert: Alert, isDropped: Bool) {
    alerts += 1
    if isDropped { dropped += 1 }
    let name = "\(alert.script): \(alert.name)"
    if alertsByName[name] != nil || alertsByName.count < Self.maximumNames {
      alertsByName[name, default: 0] += 1
    } else {
      others += 1
    }
  }

  /// The summary as one line.
  var line: String {
    var text = "\(counted(messages, "message")) in \(shortened(seconds)) s"
    if seconds > 0 { text += " (\(Int(Double(messages) / seconds)) a second)" }
    text += ", \(counted(alerts, "alert"))"
    var parts = alertsByName.sorted { $0.key < $1.key }.map { "\(UsageError.shown($0.key)) \($0.value)" }
    if others > 0 { parts.append("others \(others)") }
    if dropped > 0 { parts.append("dropped by routes \(dropped)") }
    if !parts.isEmpty { text += " (\(parts.joined(separator: ", ")))" }
    return text + ", \(counted(errors, "error"))"
  }

  private func shortened(_ seconds: Double) -> String { "\((seconds * 1_000).rounded() / 1_000)" }
}
