/// The one message that tells of the alerts a route held back: a line for each, in their order.
enum HeldDigest {
  /// How many lines a digest has at most.
  static let lineBound = 50
  /// How long the text of one alert may be in it, in characters.
  static let textBound = 200

  /// The name of every digest.
  private static let name = "held alerts"

  /// Whether an alert is a digest.
  static func isDigest(_ alert: Alert) -> Bool { alert.script == "host" && alert.name == name }

  /// The id of the digest for a channel and the end of its hours.
  static func id(channel: String, end: Timestamp) -> String {
    AlertIdentity(
      script: "host", rule: name, key: channel, episode: UInt64(bitPattern: end.milliseconds),
      kind: .firing
    ).id
  }

  /// The digest of the rows of a channel whose hours are over, of which there is at least one.
  static func alert(of rows: [OutboxRow], channel: String, now: Timestamp) -> Alert {
    let lines = lines(of: rows)
    let omitted = rows.reduce(0) { $0 + $1.omitted }
    let hidden = omitted + max(lines.count - lineBound, 0)
    let count = omitted + lines.count
    let hours = Set(rows.compactMap { $0.hold?.description }).sorted().joined(separator: " and ")
    var text = "\(count) \(count == 1 ? "alert" : "alerts") held \(hours)"
    // The latest matter most.
    for line in lines.suffix(lineBound) { text += "\n" + line.text }
    if hidden > 0 { text += "\nand \(hidden) before these; 'pipeline alerts' lists them" }
    var alert = Alert(
      id: id(channel: channel, end: rows.compactMap(\.heldUntil).max() ?? now), name: name,
      script: "host", key: channel, severity: rows.map(\.alert.severity).max() ?? .info, text: text,
      time: now, value: Double(count))
    alert.labels = ["held": "\(count)", "going_on": "\(lines.count { $0.isGoingOn })"]
    return alert
  }

  private struct Line {
    var alert: Alert
    var hold: DailyHours?
    var end: Alert?

    var isGoingOn: Bool { alert.lasts && alert.kind == .firing && end == nil }

    var text: String {
      let key = alert.key.isEmpty ? "" : " [\(alert.key)]"
      let said = alert.text.split(whereSeparator: \.isNewline).joined(separator: " ")
      let cut = said.count > HeldDigest.textBound ? "\(said.prefix(HeldDigest.textBound))…" : said
      let ending =
        if let end { " (resolved \(clock(end.time)))" } else if isGoingOn { " (goes on)" } else { "" }
      let severity = alert.kind == .resolved ? "resolved" : alert.severity.name
      return "\(clock(alert.time)) \(severity) \(alert.name)\(key): \(cut)\(ending)"
    }

    private func clock(_ time: Timestamp) -> String {
      let civil = (hold?.zone ?? .utc).civil(at: time)
      return "\(civil.hour < 10 ? "0" : "")\(civil.hour):\(civil.minute < 10 ? "0" : "")\(civil.minute)"
    }
  }

  /// A line for each episode; an end whose beginning was told before has its own, and so has a reminder.
  private static func lines(of rows: [OutboxRow]) -> [Line] {
    var lines: [Line] = []
    var open: [AlertSubject: Int] = [:]
    for row in rows {
      let subject = AlertSubject(row.alert)
      switch row.alert.kind {
      case .resolved:
        if let index = open.removeValue(forKey: subject) {
          lines[index].end = row.alert
          continue
        }
      // What is in the digest needs no reminder.
      case .reminder: if open[subject] != nil { continue }
      case .firing: if row.alert.lasts { open[subject] = lines.count }
      case .published: break
      }
      lines.append(Line(alert: row.alert, hold: row.hold))
    }
    return lines
  }
}
