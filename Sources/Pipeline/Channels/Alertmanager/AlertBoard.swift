/// What an Alertmanager is to know: the alerts that go on, and the words for one that begins or ends.
///
/// Alertmanager takes an alert for over unless it hears of it again (`endsAt`), so what goes on is posted anew
/// now and then. An alert without a told end is posted once and ends by itself after the same time.
struct AlertBoard: Sendable {
  /// Labels added to every alert, unless it has one of the name itself.
  let labels: [String: String]
  /// How long an alert stands without being heard of again.
  let hold: Milliseconds
  /// The alerts that go on, each with the time its episode began.
  private(set) var lasting: [AlertSubject: (alert: Alert, start: Timestamp)] = [:]

  init(labels: [String: String], hold: Milliseconds) {
    self.labels = labels
    self.hold = hold
  }

  /// Takes an alert and gives the body that tells of it.
  mutating func take(_ alert: Alert, now: Timestamp) -> [UInt8] {
    let subject = AlertSubject(alert)
    let start = min(lasting[subject]?.start ?? alert.time, alert.time)
    var writer = JSONWriter()
    writer.beginArray()
    if alert.kind == .resolved {
      lasting[subject] = nil
      // Not later than now, or it would go on until then.
      write(alert, start: start, end: max(start, min(alert.time, now)), into: &writer)
    } else {
      if alert.lasts { lasting[subject] = (alert, start) }
      write(alert, start: start, end: now + hold, into: &writer)
    }
    writer.endArray()
    return writer.bytes
  }

  /// Takes note of alerts that were told before and go on.
  mutating func resume(_ alerts: [Alert]) {
    for alert in alerts where alert.lasts {
      if lasting[AlertSubject(alert)] == nil { lasting[AlertSubject(alert)] = (alert, alert.time) }
    }
  }

  /// The bodies that tell again of all that goes on, so many alerts in each at most.
  func reminders(now: Timestamp, batch: Int = 500) -> [[UInt8]] {
    let all = lasting.values.sorted { $0.alert.id < $1.alert.id }
    return stride(from: 0, to: all.count, by: batch).map { first in
      var writer = JSONWriter()
      writer.beginArray()
      for (alert, start) in all[first..<min(first + batch, all.count)] {
        write(alert, start: start, end: now + hold, into: &writer)
      }
      writer.endArray()
      return writer.bytes
    }
  }

  private func write(_ alert: Alert, start: Timestamp, end: Timestamp, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("labels")
    writer.beginObject()
    for (name, value) in labels(of: alert).sorted(by: { $0.key < $1.key }) {
      writer.key(name)
      writer.text(value)
    }
    writer.endObject()
    writer.key("annotations")
    writer.beginObject()
    writer.key("summary")
    writer.text(alert.text)
    if let value = alert.value {
      writer.key("value")
      writer.text("\(value)")
    }
    writer.endObject()
    writer.key("startsAt")
    writer.text(start.rfc3339())
    writer.key("endsAt")
    writer.text(end.rfc3339())
    writer.endObject()
  }

  /// The labels that tell one alert from another. They stay the same from its beginning to its end.
  private func labels(of alert: Alert) -> [String: String] {
    var all: [String: String] = [:]
    for (name, value) in labels.merging(alert.labels, uniquingKeysWith: { _, own in own }) {
      all[Self.labelName(name)] = value
    }
    all["alertname"] = alert.name
    all["severity"] = alert.severity.name
    all["script"] = alert.script
    if !alert.key.isEmpty { all["key"] = alert.key }
    // An empty label is none (Prometheus data model), and some versions refuse it.
    return all.filter { !$0.value.isEmpty }
  }

  /// The name with everything replaced that Prometheus allows in no label's name.
  private static func labelName(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      let isLetter = scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "_")
      let isDigit = scalar.isASCII && ("0"..."9").contains(scalar)
      if isDigit, result.isEmpty { result = "_" }
      result.unicodeScalars.append(isLetter || isDigit ? scalar : "_")
    }
    return result.isEmpty ? "_" : result
  }
}
