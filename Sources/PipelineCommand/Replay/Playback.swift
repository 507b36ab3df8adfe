import Pipeline
import Scripting
import WebSocket

/// One passage of recorded messages through an engine on a virtual clock, with those who look on.
///
/// Confined to the host that it plays on, once it is playing.
final class Playback {
  /// The most alerts that are kept to be compared.
  static let maximumAlerts = 1_000_000

  private let plan: ReplayPlan
  private let reader: RecordingReader
  private let start: Timestamp?
  /// The history that the recordings begin with.
  let recordedHistory: [RecordedHistory]
  /// What scripts are warmed up with before the first message.
  var history = History()
  private let router: AlertRouter?
  private let logger: Logger
  private let bar: ProgressBar?
  private var summary = ReplaySummary()
  private var time: Timestamp

  /// Prints alerts as they come.
  var printer: AlertPrinter?
  /// Keeps what would have left.
  var publications: PublicationFolder?
  /// Where all that the scripts know at the end is written, nil for nowhere.
  var stateFile: String?
  /// Watches what the rules are given.
  var chart: ChartRecorder?
  /// Whether the alerts that have a route are wanted at the end.
  var keepsAlerts = false
  private(set) var alerts: [Alert] = []

  /// Looks at the beginning of the files.
  ///
  /// - Parameters:
  ///   - router: tells which alerts would go nowhere; these are only counted. Nil takes all.
  ///   - errors: where a bar shows how far it is, if that is a terminal.
  /// - Throws: ``UsageError`` for what doesn't fit, `FileError` for a file that can't be read.
  init(_ plan: ReplayPlan, router: AlertRouter?, logger: Logger, errors: Output) throws {
    self.plan = plan
    self.router = router
    self.logger = logger
    let bar = ProgressBar(errors)
    self.bar = bar
    reader = try plan.open { file, line, fault in
      bar?.hide()
      logger.write(.warn, plan.files[file].path, "line \(line) is skipped: \(fault)")
    }
    recordedHistory = try reader.takeHistory()
    start = try reader.start()
    time = start ?? plan.from ?? RecordingForm.firstTime
  }

  /// Where the clock begins.
  var beginning: Timestamp { time }

  /// Plays everything on the host itself, so that a batch costs no hop.
  ///
  /// - Parameter isInterrupted: is asked between batches, and ends the passage.
  func play(on host: isolated VirtualHost, isInterrupted: @escaping @Sendable () -> Bool) -> ReplaySummary {
    let begin = monotonicNanoseconds()
    chart?.watch(host.runners)
    // Nobody waits for a replay that could not begin as it should: it is told, and goes on.
    _ = host.warmUp(with: history)
    host.start()
    look(at: host)
    let pace = plan.speed.map { ReplayPace(speed: $0, begin: time, isStopped: isInterrupted) }
    do throws(FileError) {
      while !isOver(isInterrupted), let piece = try reader.next() {
        if let pace { wait(for: piece, pace, host) }
        take(piece, host)
      }
    } catch {
      summary.fileFailure = error
    }
    host.flush()
    if summary.outputFailure == nil { look(at: host) }
    writeState(of: host)
    bar?.hide()
    return finish(seconds: Double(monotonicNanoseconds() - begin) / 1e9)
  }

  private func writeState(of host: isolated VirtualHost) {
    guard let stateFile, summary.fileFailure == nil else { return }
    let lines = host.runners.flatMap(\.dump)
    do throws(FileError) {
      try TextFile.replace(stateFile, lines.map { $0 + "\n" }.joined())
    } catch {
      summary.fileFailure = error
    }
  }

  private func isOver(_ isInterrupted: () -> Bool) -> Bool {
    if isInterrupted() { summary.isInterrupted = true }
    return summary.isInterrupted || summary.outputFailure != nil || summary.fileFailure != nil
  }

  private func take(_ piece: RecordingReader.Piece, _ host: isolated VirtualHost) {
    switch piece {
    case .messages(let batch, let source): host.receive(batch, source: source)
    case .happening(let happening):
      host.tell(happening)
      if case .event(let event) = happening { chart?.tell(event) }
    }
    time = host.now
    look(at: host)
  }

  /// Waits until the time of what comes next; what falls due before that happens then.
  private func wait(for piece: RecordingReader.Piece, _ pace: ReplayPace, _ host: isolated VirtualHost) {
    let time: Timestamp
    switch piece {
    case .messages(let batch, _): time = Timestamp(milliseconds: batch.time(at: 0))
    // It is told ahead of its time.
    case .happening(.kill), .happening(.history): return
    case .happening(let happening): time = happening.time
    }
    while let due = host.nextDue, due < time, pace.wait(until: due) {
      host.advance(to: due)
      look(at: host)
      if let next = host.nextDue, next <= due { break }
    }
    _ = pace.wait(until: time)
  }

  private func finish(seconds: Double) -> ReplaySummary {
    summary.seconds = seconds
    summary.messages = reader.messageCount
    if let start { summary.span = (start, time) }
    for cursor in reader.cursors {
      summary.errors += cursor.faultyCount
      summary.unknownSources.merge(cursor.unknownSources) { $0 + $1 }
    }
    do throws(FileError) {
      try publications?.finish()
    } catch {
      if summary.fileFailure == nil { summary.fileFailure = error }
    }
    return summary
  }

  /// Takes what happened within one batch.
  ///
  /// Scripts see a batch one after the other; sorting makes the order that of the messages, however they were
  /// batched.
  private func look(at host: isolated VirtualHost) {
    let events = host.takeTimedEvents()
    if !events.isEmpty { take(events) }
    bar?.show(part: part, messages: reader.messageCount, alerts: summary.alerts, time: time)
  }

  private func take(_ events: [(time: Timestamp, event: VirtualHost.Event)]) {
    bar?.hide()
    var raised: [(offset: Int, alert: Alert)] = []
    do {
      for (time, event) in events {
        switch event {
        case .alert(let alert): raised.append((raised.count, alert))
        case .log(let level, let origin, let text): logger.write(level, origin, text)
        case .quarantined: summary.errors += 1
        case .delivered(let alert, let channel): try publications?.add(alert, channel: channel)
        case .asked(let script, let request): try publications?.add(request, of: script, at: time)
        }
      }
      raised.sort { ($0.alert.time, $0.offset) < ($1.alert.time, $1.offset) }
      var routed: [Alert] = []
      for (_, alert) in raised {
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

  /// How much of the files was read, nil where that isn't known.
  private var part: Double? {
    var (read, all): (Int64, Int64) = (0, 0)
    for cursor in reader.cursors {
      guard let bytes = cursor.file.fileBytes else { return nil }
      read += cursor.file.readBytes
      all += bytes
    }
    return all > 0 ? Double(read) / Double(all) : nil
  }
}
