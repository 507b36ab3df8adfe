import Glibc
import Pipeline

/// Prints the alerts of a replay, in the order of their times.
struct AlertPrinter: Sendable {
  private let output: Output
  private let isJSON: Bool
  private let colour: Bool
  private let router: AlertRouter?

  /// Makes a printer.
  ///
  /// - Parameters:
  ///   - format: nil for text on a terminal and JSON lines otherwise.
  ///   - router: tells which alerts would go nowhere; these are only counted. Nil prints all.
  init(output: Output, format: ConsoleChannel.Format?, router: AlertRouter?) {
    self.output = output
    self.router = router
    let isTerminal = output.isTerminal
    isJSON = (format ?? (isTerminal ? .text : .json)) == .json
    colour = isTerminal && getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
  }

  /// Prints what happened within one batch, and counts it.
  ///
  /// Scripts see a batch one after the other; sorting makes the order that of the messages, however they were
  /// batched.
  func print(
    _ events: [VirtualHost.Event], _ logger: Logger, _ summary: inout ReplaySummary
  ) throws(OutputFailure) {
    guard !events.isEmpty else { return }
    var alerts: [(offset: Int, alert: Alert)] = []
    for event in events {
      switch event {
      case .alert(let alert): alerts.append((alerts.count, alert))
      case .log(let level, let origin, let text): logger.write(level, origin, text)
      case .quarantined: summary.errors += 1
      case .delivered, .asked: break
      }
    }
    alerts.sort { ($0.alert.time, $0.offset) < ($1.alert.time, $1.offset) }
    var bytes: [UInt8] = []
    for (_, alert) in alerts {
      let isDropped = router?.channels(for: alert).isEmpty ?? false
      summary.count(alert, isDropped: isDropped)
      guard !isDropped else { continue }
      if isJSON {
        bytes += alert.jsonLine(id: alert.id)
      } else {
        bytes += Array((alert.terminalLine(colour: colour) + "\n").utf8)
      }
    }
    if !bytes.isEmpty { try output.write(bytes) }
  }
}
