import Pipeline
import Scripting

extension Command {
  /// `alerts`: shows what became of alerts.
  static let alerts = Command(
    name: "alerts", summary: "Shows alerts that wait, were delivered, or became dead letters",
    operands: [Operand(name: "CONFIG")],
    options: [
      OptionDeclaration(
        "failed", .flag, "shows only dead letters: alerts that were given up, with the reason"),
      OptionDeclaration("limit", .count(1...Int64.max), "shows so many of the past at most, 20 if not given"),
      .listFormat,
    ],
    details: [
      "Lists those that wait first, then the past, the latest first; values that scripts published are among those that "
        + "wait or were given up. It reads the storage, whether a host is using it "
        + "or not: what it shows is at most a second old."
    ],
    examples: ["pipeline alerts config.lua", "pipeline alerts config.lua --failed --format json"]
  ) { arguments, console in
    onStorage(arguments, console) { stored in
      let failedOnly = arguments.has("failed")
      var rows = failedOnly ? [] : try stored.reader.outbox().map(ListedDelivery.init)
      let limit = Int(clamping: arguments.count("limit") ?? 20)
      rows += try stored.reader.history(limit: limit, failedOnly: failedOnly).map(ListedDelivery.init)
      let isJSON = arguments.writesJSON(to: console.output)
      if rows.isEmpty, !isJSON {
        return console.print(failedOnly ? "there are no dead letters\n" : "there are no alerts yet\n")
          ?? .success
      }
      return console.print(rows.map { (isJSON ? $0.json : $0.line) + "\n" }.joined()) ?? .success
    }
  }
}

/// One delivery as the list shows it.
private struct ListedDelivery {
  var alert: Alert
  var channel: String
  var outcome: String
  var reason: String?
  var attempts: Int
  var time: Timestamp

  init(_ row: OutboxRow) {
    (alert, channel, outcome) = (row.alert, row.channel, "waiting")
    (attempts, time) = (row.attempt, row.queued)
  }

  init(_ row: HistoryRow) {
    (alert, channel) = (row.alert, row.settled.key.channel)
    (attempts, time) = (row.settled.attempt, row.settled.time)
    switch row.settled.outcome {
    case .delivered: outcome = "delivered"
    case .failed(let reason): (outcome, self.reason) = ("failed", reason)
    case .expired: outcome = "expired"
    case .replaced(let channel): (outcome, reason) = ("replaced", "handed to '\(channel)'")
    }
  }

  var line: String {
    let key = alert.key.isEmpty ? "" : " [\(alert.key.printable)]"
    let reason = reason.map { " (\($0.printable))" } ?? ""
    let word = outcome + String(repeating: " ", count: max(9 - outcome.count, 0))
    return "\(time.rfc3339(fraction: false))  \(word)  \(channel)  \(alert.name.printable)\(key): "
      + "\(alert.text.printable)\(reason)"
  }

  var json: String {
    var object: [String: Value] = [
      "time": .text(time.rfc3339()), "outcome": .text(outcome), "channel": .text(channel),
      "id": .text(alert.id),
      "kind": .text(alert.kind.rawValue), "severity": .text(alert.severity.name),
      "script": .text(alert.script),
      "name": .text(alert.name), "key": .text(alert.key), "text": .text(alert.text),
      "attempts": .integer(Int64(attempts)), "raised": .text(alert.time.rfc3339()),
      "labels": .map(alert.labels.mapValues { .text($0) }),
    ]
    if let value = alert.value { object["value"] = .number(value) }
    if let reason { object["reason"] = .text(reason) }
    return Value.map(object).json
  }
}
