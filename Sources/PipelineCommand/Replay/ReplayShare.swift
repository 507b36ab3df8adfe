import Pipeline
import Scripting

/// One of several engines that play the same files, each with some of the scripts.
actor ReplayShare {
  /// What happened while some pieces were played.
  struct Round: Sendable {
    /// How many pieces were played.
    var pieceCount = 0
    /// The events of those pieces that led to any, by the number of the piece.
    var events: [Int: [ReplayTally.Event]] = [:]
    /// Whether the files are at their end.
    var isOver = false
    var failure: FileError?
    var progress: ReplayProgress
  }

  /// Messages, or pieces, that are played before the others are waited for: so many that waiting costs nothing, and so
  /// few that what happened meanwhile needs no room.
  private static let roundLength = 4_096

  private let part: ReplayPart
  /// The sources that are nothing to it, by their numbers.
  private let passedOver: Set<Int>
  private let reader: RecordingReader
  private var time: Timestamp
  /// Set once the actor exists, since the engine lives on it.
  private var made: VirtualEngine?
  private var isBegun = false

  /// When the files begin, nil where there is nothing to read.
  let start: Timestamp?

  /// Loads the scripts and looks at the beginning of the files.
  ///
  /// - Throws: ``UsageError`` or `FileError`, as the files and scripts did when they were looked at before.
  init(
    _ part: ReplayPart, of configuration: Configuration, registry: Registry, plan: ReplayPlan,
    logger: Logger
  ) async throws {
    self.part = part
    reader = try plan.open { file, line, fault in
      if part.isFirst { logger.write(.warn, plan.files[file].path, "line \(line) is skipped: \(fault)") }
    }
    // No script of a shared replay begins with one, and ends of runs in files are known beforehand.
    _ = try reader.takeHistory()
    start = try reader.start()
    time = start ?? plan.from ?? RecordingForm.firstTime
    made = nil
    let (assembly, findings) = Assembly.assemble(
      configuration.keeping(scripts: part.scripts), registry: registry)
    guard let assembly else { throw FileError("the scripts changed while they were loaded: \(findings)") }
    let names = assembly.sourceNames
    passedOver = Set(names.indices.filter { part.passedOver.contains(names[$0]) })
    assembly.wiring.passedOver = passedOver
    made = VirtualEngine(
      wiring: assembly.wiring, sourceNames: assembly.sourceNames, channels: configuration.alertChannels,
      now: time,
      storage: .measured, replies: try plan.replies(), isolation: self)
  }

  private var engine: VirtualEngine {
    guard let made else { preconditionFailure("the share was used before it was made") }
    return made
  }

  /// Plays the next pieces.
  ///
  /// - Parameter isEnding: whether nothing more is to be played, though the files may go on.
  func play(isEnding: Bool = false) -> Round {
    var round = Round(isOver: isEnding, progress: ReplayProgress(reader, time: time))
    if !isBegun {
      isBegun = true
      engine.start()
      look(&round)
    }
    do throws(FileError) {
      let end = reader.messageCount + Self.roundLength
      while !round.isOver, round.failure == nil, reader.messageCount < end,
        round.pieceCount < Self.roundLength
      {
        guard let piece = try reader.next() else {
          round.isOver = true
          break
        }
        switch piece {
        case .messages(let batch, let source):
          if !passedOver.contains(source) || !engine.passOver(batch) { engine.receive(batch, source: source) }
        case .happening(let happening): engine.tell(happening)
        }
        time = engine.now
        look(&round)
      }
    } catch {
      round.failure = error
      round.isOver = true
    }
    if round.isOver {
      engine.flush()
      look(&round)
    }
    round.progress = ReplayProgress(reader, time: time)
    return round
  }

  private func look(_ round: inout Round) {
    defer { round.pieceCount += 1 }
    let events = engine.takeTimedEvents()
    guard !events.isEmpty else { return }
    for case (_, .asked(let script, let request)) in events {
      switch request {
      // What a source does, all scripts see.
      case .connect, .disconnect:
        round.failure = FileError(
          "script '\(script)' uses effect.connect or effect.disconnect by another name, so that scripts can't be "
            + "played apart; add --single")
      default: break
      }
    }
    round.events[round.pieceCount] = events.filter { isOwn($0.event) }
  }

  /// Whether an event is for this share to tell; what is about a source, all engines see.
  private func isOwn(_ event: VirtualHost.Event) -> Bool {
    switch event {
    case .alert(let alert): part.tells(alert.script == "host" ? alert.key : alert.script)
    case .log(_, let origin, _): part.tells(origin)
    case .quarantined(let row): part.tells(row.script.isEmpty ? row.source : row.script)
    case .reloaded(let script): part.tells(script)
    case .delivered, .asked: false
    }
  }
}
