import Glibc
import Pipeline
import WebSocket

/// A line on a terminal that says how far something has come.
///
/// It is there only while nothing else is written: ``hide()`` comes before every other line.
final class ProgressBar {
  private static let interval: UInt64 = 100_000_000
  private static let width = 24

  private let output: Output
  private let begin = monotonicNanoseconds()
  private var next: UInt64
  private var isShown = false

  /// Makes a bar for a terminal; nil for anything else.
  init?(_ output: Output) {
    guard output.isTerminal else { return nil }
    self.output = output
    // What is over at once needs no bar.
    next = begin + 3 * Self.interval
  }

  /// Shows how far it is, unless that was shown a moment ago.
  ///
  /// - Parameters:
  ///   - part: from 0 to 1; nil where the end isn't known.
  ///   - time: that of the last message.
  func show(part: Double?, messages: Int, alerts: Int, time: Timestamp) {
    let now = monotonicNanoseconds()
    guard now >= next else { return }
    next = now + Self.interval
    write(
      Self.line(
        part: part, messages: messages, alerts: alerts, time: time, seconds: Double(now - begin) / 1e9))
    isShown = true
  }

  /// The words of the bar.
  static func line(part: Double?, messages: Int, alerts: Int, time: Timestamp, seconds: Double) -> String {
    var text = ""
    if let part {
      let part = min(max(part, 0), 1)
      let filled = Int(part * Double(width))
      let percent = "\(Int(part * 100))"
      text += String(repeating: " ", count: 3 - percent.count) + percent + " % "
      text += String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled) + "  "
    }
    text += "\(time.rfc3339(fraction: false))  \(counted(messages, "message"))"
    if seconds > 0 { text += ", \(Int(Double(messages) / seconds)) a second" }
    text += ", \(counted(alerts, "alert"))"
    if let part, part > 0.02, part < 1 {
      text += ", \(Milliseconds.seconds(Int64((seconds / part - seconds).rounded(.up)))) left"
    }
    return text
  }

  /// Takes the line away.
  func hide() {
    guard isShown else { return }
    isShown = false
    write("")
  }

  private func write(_ text: String) {
    do throws(OutputFailure) {
      try output.write("\r\u{1b}[K\(text)")
    } catch {
      // A bar that nobody sees is no loss; what it stands for is written elsewhere.
      next = .max
    }
  }
}
