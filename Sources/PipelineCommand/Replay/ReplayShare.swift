import Pipeline
import Scripting

/// One of several engines that play the same files, each with some of the scripts.
actor ReplayShare {
  /// What happened while some pieces were played.
  struct Round: Sendable {
    /// The events of pieces that led to any, by the number of the piece; what happened before the first is of -1.
    var events: [Int: [ReplayTally.Event]] = [:]
    /// Whether nothing more is to be played.
    var isOver = false
    var failure: FileError?
    /// The last piece that was played; the number of pieces is that of the end.
    var last = -1
    /// How far it is, with where the clock of the engine is.
    var progress: ReplayProgress
  }

  private let part: ReplayPart
  /// The sources that are nothing to it, by their numbers.
  private let passedOver: Set<Int>
  /// Whether messages of several sources may be handed over together.
  private let merges: Bool
  private let messages = MergedMessages()
  private var progress: ReplayProgress?
  /// Set once the actor exists, since the engine lives on it.
  private var made: VirtualEngine?
  private var isBegun = false

  /// Loads the scripts.
  ///
  /// - Throws: `FileError` where the scripts are others than when they were looked at before.
  init(
    _ part: ReplayPart, of configuration: Configuration, registry: Registry, plan: ReplayPlan,
    replies: VirtualEngine.Replies, at beginning: Timestamp
  ) async throws {
    self.part = part
    merges = plan.merges
    passedOver = Set(plan.sources.indices.filter { part.passedOver.contains(plan.sources[$0]) })
    made = nil
    let (assembly, findings) = Assembly.assemble(
      configuration.keeping(scripts: part.scripts), registry: registry)
    guard let assembly else { throw FileError("the scripts changed while they were loaded: \(findings)") }
    precondition(assembly.sourceNames == plan.sources, "a share of the scripts has all sources")
    made = VirtualEngine(
      wiring: assembly.wiring, sourceNames: assembly.sourceNames, channels: configuration.alertChannels,
      now: beginning,
      storage: .measured, replies: replies, isolation: self)
  }

  private var engine: VirtualEngine {
    guard let made else { preconditionFailure("the share was used before it was made") }
    return made
  }

  /// Plays pieces.
  ///
  /// - Parameter isEnding: whether nothing more is to be played, though the files may go on.
  func play(_ pieces: ReplayFeed.Round, isEnding: Bool = false) -> Round {
    if !isEnding { progress = pieces.progress }
    var round = Round(isOver: isEnding || pieces.isOver, progress: progress ?? pieces.progress)
    if !isBegun {
      isBegun = true
      engine.start()
      look(&round, at: -1)
    }
    if !isEnding {
      for (number, piece) in pieces.pieces.enumerated() where round.failure == nil {
        switch piece {
        case .messages(let shared):
          // Engines change what they handle.
          messages.copy(shared, without: passedOver)
          if !merges, let source = messages.sources.first {
            engine.receive(messages.batch(of: source), source: source)
          } else {
            engine.receive(messages)
          }
        case .happening(let happening): engine.tell(happening)
        }
        round.last = number
        look(&round, at: number)
      }
      if round.failure == nil { round.failure = pieces.failure }
    }
    if round.isOver {
      engine.flush()
      if round.failure == nil { round.last = pieces.pieces.count }
      look(&round, at: pieces.pieces.count)
    }
    round.progress.time = engine.now
    return round
  }

  private func look(_ round: inout Round, at number: Int) {
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
    round.events[number] = events.filter { isOwn($0.event) }
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
