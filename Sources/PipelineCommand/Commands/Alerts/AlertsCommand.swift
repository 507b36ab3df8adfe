import Pipeline
import Scripting

extension Command {
  /// `alerts`: shows what became of alerts.
  static let alerts = Command(
    name: "alerts", summary: "Shows alerts that wait, were delivered, or became dead letters",
    operands: [Operand(name: "CONFIG")],
    options: [
      OptionDeclaration(
        "rule", .text(placeholder: "NAME"), "shows those of a rule, or of a name of alert.send"),
      OptionDeclaration("key", .text(placeholder: "KEY"), "shows those of a key"),
      OptionDeclaration(
        "severity", .choice(Severity.allCases.map(\.name)), "shows those of this severity and above"),
      OptionDeclaration("channel", .text(placeholder: "NAME"), "shows those to a channel"),
      OptionDeclaration(
        "since", .text(placeholder: "TIME"),
        "shows those from a time on: 2h, 2026-12-31 or 2026-12-31T18:30:00Z"),
      OptionDeclaration(
        "until", .text(placeholder: "TIME"), "shows those before a time, written in the same way"),
      OptionDeclaration(
        "failed", .flag, "shows only dead letters: alerts that were given up, with the reason"),
      OptionDeclaration(
        "state", .choice(RuleState.Phase.allCases.map(\.name)),
        "shows, in place of deliveries, the rules and keys that stand so now"),
      OptionDeclaration("limit", .count(1...Int64.max), "shows so many of the past at most, 20 if not given"),
      .listFormat,
    ],
    details: [
      "Lists those that wait first, then the past, the latest first; values that scripts published are among those that "
        + "wait or were given up. It reads the storage, whether a host is using it "
        + "or not: what it shows is at most a second old.",
      "'alerts silence' keeps a rule quiet for a time, 'alerts silences' lists such rules, 'alerts lift' ends it; "
        + "'alerts retry' sends dead letters again.",
    ],
    examples: [
      "pipeline alerts config.lua", "pipeline alerts config.lua --failed --format json",
      "pipeline alerts config.lua --rule 'over level' --since 2h",
      "pipeline alerts config.lua --state firing",
    ]
  ) { arguments, console in
    onStorage(arguments, console) { stored in
      if let name = arguments.text("state") {
        return try list(
          rulesIn: RuleState.Phase.allCases.first { $0.name == name }, stored, arguments, console)
      }
      let filter = try arguments.deliveryFilter(now: .systemClock())
      let active = try stored.reader.silences().filter { $0.isActive(at: .systemClock()) }
      for silence in active { console.note("silenced: \(silence.line)") }
      var rows = try stored.reader.outbox(filter).map(ListedDelivery.init)
      let limit = Int(clamping: arguments.count("limit") ?? 20)
      rows += try stored.reader.history(limit: limit, filter: filter).map(ListedDelivery.init)
      let isJSON = arguments.writesJSON(to: console.output)
      if rows.isEmpty, !isJSON {
        let nothing =
          filter == DeliveryFilter()
          ? "there are no alerts yet"
          : filter.failedOnly ? "there are no dead letters" : "there are no such alerts"
        return console.print(nothing + "\n") ?? .success
      }
      return console.print(rows.map { (isJSON ? $0.json : $0.line) + "\n" }.joined()) ?? .success
    }
  }

  private static func list(
    rulesIn phase: RuleState.Phase?, _ stored: StoredState, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    for option in ["severity", "channel", "since", "until", "failed", "limit"] where arguments.has(option) {
      throw UsageError("--\(option) is about deliveries and can't stand beside --state")
    }
    let rules = try stored.reader.rules().filter { rule in
      rule.phase == phase && arguments.text("rule").map { $0 == rule.rule } ?? true
        && arguments.text("key").map { $0 == rule.key } ?? true
    }
    if arguments.writesJSON(to: console.output) {
      return console.print(rules.map { $0.json + "\n" }.joined()) ?? .success
    }
    if rules.isEmpty { return console.print("no rule is \(phase?.name ?? "")\n") ?? .success }
    return console.print(rules.map { $0.line + "\n" }.joined()) ?? .success
  }
}

extension Arguments {
  /// The deliveries that the options mean.
  fileprivate func deliveryFilter(now: Timestamp) throws(UsageError) -> DeliveryFilter {
    var filter = DeliveryFilter()
    filter.rule = text("rule")
    filter.key = text("key")
    filter.minSeverity = text("severity").flatMap(Severity.init(name:))
    filter.channel = text("channel")
    filter.since = try time("since", now: now)
    filter.until = try time("until", now: now)
    filter.failedOnly = has("failed")
    return filter
  }

  /// The time given for an option, as such or as how long ago it was.
  private func time(_ option: String, now: Timestamp) throws(UsageError) -> Timestamp? {
    guard let text = text(option) else { return nil }
    if let time = Timestamp(parsing: text) { return time }
    do throws(InvalidDuration) {
      return now + Milliseconds(-(try Milliseconds(parsing: text)).count)
    } catch {
      throw UsageError(
        "--\(option): expected a time such as 2026-12-31T18:30:00Z, or how long ago it was, such as 2h, got "
          + "'\(UsageError.shown(text))'")
    }
  }
}

extension StoredRule {
  fileprivate var line: String {
    let key = key.isEmpty ? "" : " [\(key.printable)]"
    let since = since.map { " since \($0.rfc3339(fraction: false))" } ?? ""
    let value = value.map { ", last value \(LuaText.number($0))" } ?? ""
    return "\(phase.name)\(since)  \(script.printable): \(rule.printable)\(key)\(value)"
  }

  fileprivate var json: String {
    var object: [String: Value] = [
      "script": .text(script), "rule": .text(rule), "key": .text(key), "state": .text(phase.name),
      "told": .bool(isTold),
    ]
    if let since { object["since"] = .text(since.rfc3339()) }
    if let value { object["value"] = .number(value) }
    return Value.map(object).json
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
    if row.isSilenced {
      (outcome, reason) = ("silenced", "told if it goes on when the silence ends")
    } else if let end = row.heldUntil {
      (outcome, reason) = ("held", "until \(end.rfc3339(fraction: false))")
    }
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
    case .silenced: outcome = "silenced"
    case .digested(let digest): (outcome, reason) = ("digested", "told in \(digest)")
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
