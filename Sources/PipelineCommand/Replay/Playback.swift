import Pipeline
import Scripting
import WebSocket

/// One passage of recorded messages through an engine on a virtual clock, with those who look on.
///
/// Confined to the host that it plays on, once it is playing.
final class Playback {
  private let plan: ReplayPlan
  private let reader: RecordingReader
  private let start: Timestamp?
  /// The history that the recordings begin with.
  let recordedHistory: [RecordedHistory]
  /// The ends of runs that this history led to.
  private let recordedKills: [RecordedKill]
  /// What scripts are warmed up with before the first message.
  var history = History()
  /// Where all that the scripts know at the end is written, nil for nowhere.
  var stateFile: String?
  private var time: Timestamp
  /// Sees what happens.
  let tally: ReplayTally

  /// Looks at the beginning of the files.
  ///
  /// - Throws: ``UsageError`` for what doesn't fit, `FileError` for a file that can't be read.
  init(_ plan: ReplayPlan, _ tally: ReplayTally) throws {
    self.plan = plan
    self.tally = tally
    reader = try plan.open { file, line, fault in tally.note(fault, line: line, of: plan.files[file].path) }
    (recordedHistory, recordedKills) = try reader.takeHistory()
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
    tally.chart?.watch(host.runners)
    // Nobody waits for a replay that could not begin as it should: it is told, and goes on.
    for kill in recordedKills { host.tell(.kill(kill)) }
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
      tally.summary.fileFailure = error
    }
    host.flush()
    if tally.summary.outputFailure == nil { look(at: host) }
    writeState(of: host)
    return finish(seconds: Double(monotonicNanoseconds() - begin) / 1e9)
  }

  private func writeState(of host: isolated VirtualHost) {
    guard let stateFile, tally.summary.fileFailure == nil else { return }
    let lines = host.runners.flatMap(\.dump)
    do throws(FileError) {
      try TextFile.replace(stateFile, lines.map { $0 + "\n" }.joined())
    } catch {
      tally.summary.fileFailure = error
    }
  }

  private func isOver(_ isInterrupted: () -> Bool) -> Bool {
    if isInterrupted() { tally.summary.isInterrupted = true }
    return tally.isOver
  }

  private func take(_ piece: RecordingReader.Piece, _ host: isolated VirtualHost) {
    switch piece {
    case .messages(let batch, let source): host.receive(batch, source: source)
    case .merged(let messages): host.receive(messages)
    case .happening(let happening):
      host.tell(happening)
      if case .event(let event) = happening { tally.chart?.tell(event) }
    }
    time = host.now
    look(at: host)
  }

  /// Waits until the time of what comes next; what falls due before that happens then.
  private func wait(for piece: RecordingReader.Piece, _ pace: ReplayPace, _ host: isolated VirtualHost) {
    let time: Timestamp
    switch piece {
    case .messages(let batch, _): time = Timestamp(milliseconds: batch.time(at: 0))
    case .merged(let messages): time = Timestamp(milliseconds: messages.first)
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
    tally.finish(seconds: seconds, span: start.map { ($0, time) }, ReplayProgress(reader, time: time))
  }

  private func look(at host: isolated VirtualHost) {
    tally.take(host.takeTimedEvents())
    if tally.showsProgress { tally.show(ReplayProgress(reader, time: time)) }
  }
}
