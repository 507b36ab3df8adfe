import Pipeline

/// What a replay came to.
struct ReplaySummary: Sendable {
  /// The most rules with their keys that are told apart.
  static let maximumRows = 10_000
  /// The most of them that people are shown.
  private static let shownRows = 20

  /// The alerts of one name and key.
  struct Row: Sendable {
    var script: String
    var name: String
    var key: String
    var firing = 0
    var resolved = 0
    var reminders = 0
  }

  private struct Place: Hashable {
    var script: String
    var name: String
    var key: String
  }

  var messages = 0
  /// Messages that failed in a script or could not be read.
  var errors = 0
  var seconds = 0.0
  /// When it began and ended, by the time of the messages; nil if there was nothing.
  var span: (from: Timestamp, to: Timestamp)?
  var unknownSources: [String: Int] = [:]
  /// How often other versions took the place of scripts when this was recorded, by the scripts; here none did.
  var reloads: [String: Int] = [:]
  var fileFailure: FileError?
  var outputFailure: OutputFailure?
  /// Whether somebody stopped it before its end.
  var isInterrupted = false
  private(set) var alerts = 0
  private(set) var dropped = 0
  private var rowsByPlace: [Place: Row] = [:]
  private var others = 0

  /// Counts an alert; a dropped one has no route.
  mutating func count(_ alert: Alert, isDropped: Bool) {
    alerts += 1
    if isDropped { dropped += 1 }
    let place = Place(script: alert.script, name: alert.name, key: alert.key)
    guard rowsByPlace[place] != nil || rowsByPlace.count < Self.maximumRows else { return others += 1 }
    var row = rowsByPlace[place] ?? Row(script: alert.script, name: alert.name, key: alert.key)
    switch alert.kind {
    case .firing, .published: row.firing += 1
    case .resolved: row.resolved += 1
    case .reminder: row.reminders += 1
    }
    rowsByPlace[place] = row
  }

  /// The alerts by script, name and key.
  var rows: [Row] {
    rowsByPlace.values.sorted { ($0.script, $0.name, $0.key) < ($1.script, $1.name, $1.key) }
  }

  // MARK: - For people

  /// The summary as one line.
  var line: String {
    var text = "\(counted(messages, "message")) in \(shortened(seconds)) s"
    if seconds > 0 { text += " (\(Int(Double(messages) / seconds)) a second)" }
    text += ", \(counted(alerts, "alert"))"
    var byName: [(name: String, count: Int)] = []
    for row in rows {
      let name = "\(row.script): \(row.name)"
      let count = row.firing + row.resolved + row.reminders
      if byName.last?.name == name {
        byName[byName.count - 1].count += count
      } else {
        byName.append((name, count))
      }
    }
    var parts = byName.prefix(Self.shownRows).map { "\(UsageError.shown($0.name)) \($0.count)" }
    let rest = byName.dropFirst(Self.shownRows).reduce(others) { $0 + $1.count }
    if rest > 0 { parts.append("others \(rest)") }
    if dropped > 0 { parts.append("dropped by routes \(dropped)") }
    if !parts.isEmpty { text += " (\(parts.joined(separator: ", ")))" }
    text += ", \(counted(errors, "error"))"
    return isInterrupted ? text + "; it was interrupted" : text
  }

  /// Says that other versions of scripts were at work when this was recorded; nil where none were.
  var reloadLine: String? {
    guard !reloads.isEmpty else { return nil }
    let parts = reloads.sorted { $0.key < $1.key }.map {
      "\(counted($0.value, "reload")) of '\(UsageError.shown($0.key))'"
    }
    return
      "the recording goes over \(parts.joined(separator: ", ")): other versions ran in parts of it, and here the "
      + "files at hand ran throughout, so alerts and states may be others than they were; for each reload a line "
      + "above tells the versions and the time"
  }

  /// The keys with the most alerts, a line each; empty where no alert has a key.
  var keyLines: [String] {
    let rows = rows.filter { !$0.key.isEmpty }
    let most = rows.sorted {
      ($0.firing, $1.script, $1.name, $1.key) > ($1.firing, $0.script, $0.name, $0.key)
    }
    var lines = most.prefix(Self.shownRows).map { row in
      var parts = ["\(row.firing) fired"]
      if row.resolved > 0 { parts.append("\(row.resolved) resolved") }
      if row.reminders > 0 { parts.append(counted(row.reminders, "reminder")) }
      let name = UsageError.shown("\(row.script): \(row.name) [\(row.key)]")
      return "  \(name): \(parts.joined(separator: ", "))"
    }
    if most.count > Self.shownRows {
      lines.append("  and \(counted(most.count - Self.shownRows, "other key"))")
    }
    return lines
  }

  private func shortened(_ seconds: Double) -> String { "\((seconds * 1_000).rounded() / 1_000)" }

  // MARK: - For programs

  /// The summary as a line of JSON, without how long it took: the same input gives the same bytes.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("summary")
    writer.beginObject()
    writer.key("messages")
    writer.integer(Int64(messages))
    writer.key("errors")
    writer.integer(Int64(errors))
    writer.key("from")
    if let span { writer.text(span.from.rfc3339()) } else { writer.null() }
    writer.key("to")
    if let span { writer.text(span.to.rfc3339()) } else { writer.null() }
    writer.key("alerts")
    writer.beginArray()
    for row in rows {
      writer.beginObject()
      for (name, text) in [("script", row.script), ("name", row.name), ("key", row.key)] {
        writer.key(name)
        writer.text(text)
      }
      for (name, count) in [("firing", row.firing), ("resolved", row.resolved), ("reminders", row.reminders)]
      {
        writer.key(name)
        writer.integer(Int64(count))
      }
      writer.endObject()
    }
    writer.endArray()
    writer.key("dropped")
    writer.integer(Int64(dropped))
    writer.key("reloads")
    writer.integer(Int64(reloads.values.reduce(0, +)))
    writer.endObject()
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
