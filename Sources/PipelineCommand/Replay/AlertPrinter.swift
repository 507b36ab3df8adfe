import Glibc
import Pipeline

/// Prints the alerts of a replay.
struct AlertPrinter: Sendable {
  private let output: Output
  /// Whether lines are JSON, and not for people.
  let isJSON: Bool
  private let colour: Bool

  /// Makes a printer.
  ///
  /// - Parameter format: nil for text on a terminal and JSON lines otherwise.
  init(output: Output, format: ConsoleChannel.Format?) {
    self.output = output
    let isTerminal = output.isTerminal
    isJSON = (format ?? (isTerminal ? .text : .json)) == .json
    colour = isTerminal && getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
  }

  /// The line of an alert.
  func line(_ alert: Alert) -> [UInt8] {
    isJSON ? alert.jsonLine(id: alert.id) : Array((alert.terminalLine(colour: colour) + "\n").utf8)
  }

  /// Prints alerts in their order.
  func print(_ alerts: [Alert]) throws(OutputFailure) {
    guard !alerts.isEmpty else { return }
    try output.write(alerts.flatMap(line))
  }

  /// Closes the lines of JSON with what a replay came to.
  func finish(_ summary: ReplaySummary) throws(OutputFailure) {
    if isJSON { try output.write(summary.json) }
  }

  /// Writes what stands beside the alerts.
  func write(_ bytes: [UInt8]) throws(OutputFailure) { try output.write(bytes) }
}
