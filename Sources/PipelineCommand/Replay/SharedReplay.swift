import Glibc
import Pipeline
import WebSocket

/// A replay on several processor cores: one engine for each part of the scripts, all over the same files.
///
/// Every engine reads the same pieces, and what happened within a piece is put together before it is shown, so the
/// outcome is that of one engine, byte for byte.
struct SharedReplay: Sendable {
  let configuration: Pipeline.Configuration
  let registry: Registry
  let plan: ReplayPlan
  let logger: Logger

  /// What each engine sees to; at most one part where the scripts have to stay together.
  static func parts(of assembly: Assembly, _ groups: ScriptGroups, _ plan: ReplayPlan) -> [ReplayPart] {
    let configuration = assembly.configuration
    let names = Set(configuration.scripts.keys)
    guard configuration.reducers.isEmpty,
      // A history is read once, for one engine.
      !configuration.hasHistories,
      plan.files.allSatisfy({ isRegular($0.path) }),
      // Names tell what is about a script.
      !names.contains("host"), names.isDisjoint(with: configuration.sources.keys),
      names.isDisjoint(with: configuration.channels.keys),
      // What a script does to a source, all scripts see.
      !assembly.files.values.contains(where: { $0.names("connect") || $0.names("disconnect") })
    else { return [] }
    return ReplayPart.make(groups.parts(atMost: coreCount), of: configuration)
  }

  /// Plays the files with an engine for each part of the scripts.
  ///
  /// - Throws: ``UsageError`` or `FileError` for what can't be read.
  func play(_ parts: [ReplayPart], _ tally: ReplayTally, _ stop: StopFlag) async throws -> ReplaySummary {
    let begin = monotonicNanoseconds()
    var shares: [ReplayShare] = []
    for part in parts {
      shares.append(
        try await ReplayShare(part, of: configuration, registry: registry, plan: plan, logger: logger))
    }
    var rounds = await Self.round(of: shares)
    while !Self.areOver(rounds) {
      // The next is played while this one is shown.
      async let next = Self.round(of: shares, isEnding: stop.isSet)
      Self.show(rounds, tally)
      if stop.isSet { tally.summary.isInterrupted = true }
      rounds = await next
      if tally.isOver {
        if tally.summary.isInterrupted, !Self.areOver(rounds) {
          Self.show(rounds, tally)
          rounds = await Self.round(of: shares, isEnding: true)
        }
        break
      }
    }
    if tally.summary.outputFailure == nil { Self.show(rounds, tally) }
    let progress = rounds[0].progress
    return tally.finish(
      seconds: Double(monotonicNanoseconds() - begin) / 1e9,
      span: shares[0].start.map { ($0, progress.time) },
      progress)
  }

  private static func areOver(_ rounds: [ReplayShare.Round]) -> Bool {
    rounds.contains { $0.isOver || $0.failure != nil }
  }

  private static func round(of shares: [ReplayShare], isEnding: Bool = false) async -> [ReplayShare.Round] {
    await withTaskGroup(of: (Int, ReplayShare.Round).self) { group in
      for (number, share) in shares.enumerated() {
        group.addTask { (number, await share.play(isEnding: isEnding)) }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// Hands on what happened, piece by piece, those of the first engine first.
  private static func show(_ rounds: [ReplayShare.Round], _ tally: ReplayTally) {
    if tally.summary.fileFailure == nil {
      tally.summary.fileFailure = rounds.lazy.compactMap(\.failure).first
    }
    let counts = Set(rounds.map(\.pieceCount))
    if counts.count > 1, tally.summary.fileFailure == nil {
      tally.summary.fileFailure = FileError("the files changed while they were read; replay them again")
    }
    let common = counts.min() ?? 0
    var pieces: [Int: [ReplayTally.Event]] = [:]
    for round in rounds { pieces.merge(round.events) { $0 + $1 } }
    for (index, events) in pieces.sorted(by: { $0.key < $1.key })
    where index < common && tally.summary.outputFailure == nil {
      tally.take(events)
    }
    tally.show(rounds[0].progress)
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static var coreCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}
