import Pipeline
import Scripting

/// The status of a host as tables for reading.
struct StatusPage {
  private var lines: [String] = []

  /// The page, ending in a newline.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Lays a status out, with the number of alerts that were given up, if it is known.
  init(_ status: Value, deadLetters: Int?) {
    let trouble = status["trouble"]?.text.map { "trouble: \($0.printable)" } ?? "all is well"
    lines.append(
      "\(Self.text(status["config"])): \(trouble); up \(Self.span(status["uptime_ms"])), process "
        + "\(Self.number(status["process"])), pipeline \(Self.text(status["version"]))")
    table(
      [
        "source", "state", "since", "last message", "delay", "messages", "bytes", "queued", "lag", "dropped",
        "reconnects",
      ],
      Self.rows(status["sources"]) { source in
        [
          Self.text(source["name"]), Self.text(source["state"]), Self.ago(source["since_ms"]),
          Self.ago(source["last_message_age_ms"]), Self.span(source["delay_ms"]),
          Self.number(source["messages"]), Self.bytes(source["bytes"]), Self.number(source["queued"]),
          Self.span(source["lag_ms"]), Self.number(source["dropped"]), Self.number(source["reconnects"]),
        ]
      })
    for source in Self.items(status["sources"]) {
      if let reason = source["reason"]?.text {
        lines.append("  \(Self.text(source["name"])): \(reason.printable)")
      }
    }
    table(
      ["script", "state", "handled", "failed", "keys", "memory", "reloaded"],
      Self.rows(status["scripts"]) { script in
        let until = script["suspended_until"]?.text.map { " until \($0)" } ?? ""
        return [
          Self.text(script["name"]), Self.text(script["state"]) + until, Self.number(script["handled"]),
          Self.number(script["failed"]), Self.number(script["keys"]), Self.bytes(script["memory_bytes"]),
          script["reloaded"]?.text ?? "-",
        ]
      })
    table(
      ["channel", "waiting", "state"],
      Self.rows(status["outbox"]?["channels"]) { channel in
        [
          Self.text(channel["name"]), Self.number(channel["waiting"]),
          channel["down"] == true ? "down" : "works",
        ]
      })
    var outbox = "outbox: \(Self.number(status["outbox"]?["waiting"])) waiting"
    if status["outbox"]?["oldest_age_ms"]?.double != nil {
      outbox += ", the oldest for \(Self.span(status["outbox"]?["oldest_age_ms"]))"
    }
    if case .integer(1...)? = status["outbox"]?["held"] {
      outbox += ", \(Self.number(status["outbox"]?["held"])) held back"
    }
    if let deadLetters { outbox += "; \(counted(deadLetters, "dead letter"))" }
    lines += ["", outbox, Self.storage(status["storage"]), Self.reload(status["reload"])]
  }

  private static func storage(_ storage: Value?) -> String {
    var line = "storage: \(text(storage?["home"]))"
    line += storage?["last_commit"]?.text.map { ", last written \($0)" } ?? ", nothing written yet"
    if case .integer(let count)? = storage?["unstored_keys"] {
      line += ", \(counted(Int(clamping: count), "key")) to be written"
    }
    if let failure = storage?["failure"]?.text { line += "; it fails: \(failure.printable)" }
    return line
  }

  private static func reload(_ reload: Value?) -> String {
    guard let reload, reload != .null else { return "reload: none since the start" }
    let lines = items(reload["lines"]).compactMap(\.text).map(\.printable)
    let outcome = reload["ok"] == true ? "" : "refused: "
    return "reload: \(text(reload["time"])) \(outcome)\(lines.joined(separator: "; "))"
  }

  /// Adds a table; numbers stand at the right of their columns.
  private mutating func table(_ heads: [String], _ rows: [[String]]) {
    guard !rows.isEmpty else { return }
    let widths = heads.indices.map { column in ([heads] + rows).map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { cell, width in
        let blanks = String(repeating: " ", count: width - cell.count)
        return cell.first?.isNumber == true ? blanks + cell : cell + blanks
      }
      let text = padded.joined(separator: "  ")
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    lines += ["", line(heads)] + rows.map(line)
  }

  private static func items(_ value: Value?) -> [Value] {
    if case .list(let items)? = value { items } else { [] }
  }

  private static func rows(_ value: Value?, _ row: (Value) -> [String]) -> [[String]] {
    items(value).map(row)
  }

  private static func text(_ value: Value?) -> String { value?.text?.printable ?? "-" }

  private static func number(_ value: Value?) -> String {
    if case .integer(let number)? = value { String(number) } else { "-" }
  }

  private static func bytes(_ value: Value?) -> String {
    guard let bytes = value?.double else { return "-" }
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var (amount, unit) = (bytes, 0)
    while amount >= 1_024, unit < units.count - 1 { (amount, unit) = (amount / 1_024, unit + 1) }
    let tenths = Int((amount * 10).rounded(.down))
    return unit == 0 ? "\(Int(bytes)) B" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  private static func ago(_ value: Value?) -> String {
    value?.double == nil ? "-" : "\(span(value)) ago"
  }

  /// A span in its two largest units.
  private static func span(_ value: Value?) -> String {
    guard case .integer(let milliseconds)? = value else { return "-" }
    guard abs(milliseconds) >= 1_000 else { return "\(milliseconds)ms" }
    let seconds = abs(milliseconds) / 1_000
    let sign = milliseconds < 0 ? "-" : ""
    switch seconds {
    case ..<60: return "\(sign)\(seconds)s"
    case ..<3_600: return "\(sign)\(seconds / 60)m\(seconds % 60)s"
    case ..<86_400: return "\(sign)\(seconds / 3_600)h\(seconds / 60 % 60)m"
    default: return "\(sign)\(seconds / 86_400)d\(seconds / 3_600 % 24)h"
    }
  }
}
