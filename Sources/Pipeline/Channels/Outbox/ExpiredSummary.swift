/// The one message that stands for deliveries which became too old: how many, and from when to when.
enum ExpiredSummary {
  private static let name = "expired alerts"
  private static let first = "first_ms"
  private static let last = "last_ms"

  /// Whether a row is the summary of its own channel and not one that came by way of a fallback.
  static func isSummary(_ row: OutboxRow) -> Bool {
    row.alert.script == "host" && row.alert.name == name && row.origin == row.channel
  }

  /// A summary of nothing yet, known by its channel and the first alert to be counted.
  static func begun(with alert: Alert, channel: String, now: Timestamp) -> Alert {
    Alert(
      id: id(channel: channel, first: alert.id), name: name, script: "host", key: channel,
      severity: alert.severity, text: "", time: now)
  }

  /// The summary with more expired alerts.
  static func extended(_ summary: Alert, with alerts: [Alert], now: Timestamp) -> Alert {
    var summary = summary
    var times = alerts.map(\.time)
    for label in [first, last] {
      if let known = summary.labels[label].flatMap({ Int64($0) }) {
        times.append(Timestamp(milliseconds: known))
      }
    }
    summary.severity = alerts.reduce(summary.severity) { max($0, $1.severity) }
    summary.time = now
    let count = Int64(exactly: summary.value ?? 0) ?? 0
    return written(
      count: count + Int64(alerts.count), first: times.min() ?? now, last: times.max() ?? now, summary)
  }

  private static func written(count: Int64, first: Timestamp, last: Timestamp, _ alert: Alert) -> Alert {
    var alert = alert
    alert.value = Double(count)
    alert.labels = [Self.first: "\(first.milliseconds)", Self.last: "\(last.milliseconds)"]
    alert.text =
      count == 1
      ? "1 alert could not be delivered in time and expired, from \(first.rfc3339())"
      : "\(count) alerts could not be delivered in time and expired, from \(first.rfc3339()) "
        + "to \(last.rfc3339())"
    return alert
  }

  /// 32 hexadecimal digits that are the same for the same channel and first alert (FNV-1a, twice).
  private static func id(channel: String, first: String) -> String {
    var id = ""
    for basis: UInt64 in [0xcbf2_9ce4_8422_2325, 0x84222325_cbf29ce4] {
      var hash = basis
      for byte in "\(channel)\0\(first)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      let digits = String(hash, radix: 16)
      id += String(repeating: "0", count: 16 - digits.count) + digits
    }
    return id
  }
}
