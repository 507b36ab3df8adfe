import Pipeline

/// Sees what happens in a replay: counts alerts, and shows them to those who look on.
final class ReplayTally {
  typealias Event = (time: Timestamp, event: VirtualHost.Event)

  /// The most alerts that are kept to be compared.
  static let maximumAlerts = 1_000_000

  private let groups: ScriptGroups
  private let router: AlertRouter?
  private let logger: Logger
  private let bar: ProgressBar?
  var summary = ReplaySummary()

  /// Prints alerts as they come.
  var printer: AlertPrinter?
  /// Keeps what would have left.
  var publications: PublicationFolder?
  /// Watches what the rules are given.
  var chart: ChartRecorder?
  /// Whether the alerts that have a route are wanted at the end.
  var keepsAlerts = false
  private(set) var alerts: [Alert] = []

  /// Makes a tally of nothing.
  ///
  /// - Parameters:
  ///   - router: tells which alerts would go nowhere; these are only counted. Nil takes all.
  ///   - errors: where a bar shows how far it is, if that is a terminal.
  init(groups: ScriptGroups, router: AlertRouter?, logger: Logger, errors: Output) {
    self.groups = groups
    self.router = router
    self.logger = logger
    bar = ProgressBar(errors)
  }

  /// Whether somebody wants to know how far it is.
  var showsProgress: Bool { bar != nil }

  /// Whether nothing more is to be played.
  var isOver: Bool { summary.isInterrupted || summary.outputFailure != nil || summary.fileFailure != nil }

  /// Tells of a line that is skipped.
  func note(_ fault: RecordedLineFault, line: Int, of path: String) {
    bar?.hide()
    logger.write(.warn, path, "line \(line) is skipped: \(fault)")
  }

  /// Takes what happened within one piece of a recording.
  ///
  /// Scripts see a piece one after the other; sorting makes the order that of the messages. At the same time, alerts
  /// stand in the order of the groups of scripts, behind those about the host, so that it doesn't matter which engine
  /// has which.
  func take(_ events: [Event]) {
    guard !events.isEmpty else { return }
    bar?.hide()
    var raised: [(group: Int, offset: Int, alert: Alert)] = []
    do {
      for (time, event) in events {
        switch event {
        case .alert(let alert): raised.append((groups.number(of: alert), raised.count, alert))
        case .log(let level, let origin, let text): logger.write(level, origin, text)
        case .quarantined: summary.errors += 1
        case .reloaded(let script): summary.reloads[script, default: 0] += 1
        case .delivered(let alert, let channel): try publications?.add(alert, channel: channel)
        case .asked(let script, let request): try publications?.add(request, of: script, at: time)
        }
      }
      raised.sort {
        let parts = ($0.group < 0 ? $0.alert.key : "", $1.group < 0 ? $1.alert.key : "")
        return ($0.alert.time, $0.group, parts.0, $0.offset) < ($1.alert.time, $1.group, parts.1, $1.offset)
      }
      var routed: [Alert] = []
      for (_, _, alert) in raised {
        let isDropped = router?.channels(for: alert).isEmpty ?? false
        summary.count(alert, isDropped: isDropped)
        if !isDropped { routed.append(alert) }
      }
      chart?.add(raised.map(\.alert))
      try printer?.print(routed)
      try keep(routed)
    } catch let failure as OutputFailure {
      summary.outputFailure = failure
    } catch let failure as FileError {
      summary.fileFailure = failure
    } catch {
      summary.fileFailure = FileError("\(error)")
    }
  }

  private func keep(_ routed: [Alert]) throws(FileError) {
    guard keepsAlerts else { return }
    alerts += routed
    guard alerts.count <= Self.maximumAlerts else {
      throw FileError(
        "more than \(Self.maximumAlerts) alerts can't be compared; take less time with --from and --to")
    }
  }

  /// What it came to, once everything was played.
  func finish(
    seconds: Double, span: (from: Timestamp, to: Timestamp)?, _ progress: ReplayProgress
  ) -> ReplaySummary {
    bar?.hide()
    summary.seconds = seconds
    summary.span = span
    summary.messages = progress.messageCount
    summary.errors += progress.faultyCount
    summary.unknownSources = progress.unknownSources
    do throws(FileError) {
      try publications?.finish()
    } catch {
      if summary.fileFailure == nil { summary.fileFailure = error }
    }
    return summary
  }

  /// Shows how far it is.
  func show(_ progress: ReplayProgress) {
    bar?.show(
      part: progress.part, messages: progress.messageCount, alerts: summary.alerts, time: progress.time)
  }
}
