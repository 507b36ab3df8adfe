import Glibc
import Pipeline
import WebSocket

/// A replay on several processor cores: one engine for each part of the scripts, all over the same files.
///
/// Every engine plays the same pieces, which are read and decoded once, and what happened within a piece is put together
/// before it is shown, so the outcome is that of one engine, byte for byte.
struct SharedReplay: Sendable {
  let configuration: Pipeline.Configuration
  let registry: Registry
  let plan: ReplayPlan
  /// By the number of the source: whether its messages are handed on as the JSON that they are.
  let isDecoded: [Bool]
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
    let feed = try ReplayFeed(plan, isDecoded: isDecoded, logger: logger)
    let replies = try plan.replies()
    async let begun: Void = feed.work()
    let shares = try await shares(parts, replies, at: feed.beginning)
    await begun
    var (rounds, pieces) = await Self.round(of: shares, await feed.exchange(nil), feed)
    while !Self.areOver(rounds) {
      let upcoming = pieces
      // The next is played while this one is shown.
      async let next = Self.round(of: shares, upcoming, feed, isEnding: stop.isSet)
      Self.show(rounds, tally)
      if stop.isSet { tally.summary.isInterrupted = true }
      (rounds, pieces) = await next
      if tally.isOver {
        if tally.summary.isInterrupted, !Self.areOver(rounds) {
          Self.show(rounds, tally)
          (rounds, pieces) = await Self.round(of: shares, pieces, feed, isEnding: true)
        }
        break
      }
    }
    if tally.summary.outputFailure == nil { Self.show(rounds, tally) }
    return tally.finish(
      seconds: Double(monotonicNanoseconds() - begin) / 1e9,
      span: feed.start.map { ($0, rounds[0].progress.time) },
      rounds[0].progress)
  }

  /// Loads the scripts of each part.
  private func shares(
    _ parts: [ReplayPart], _ replies: VirtualEngine.Replies, at beginning: Timestamp
  ) async throws -> [ReplayShare] {
    try await withThrowingTaskGroup(of: (Int, ReplayShare).self) { group in
      for (number, part) in parts.enumerated() {
        group.addTask {
          let share = try await ReplayShare(
            part, of: configuration, registry: registry, plan: plan, replies: replies, at: beginning)
          return (number, share)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private static func areOver(_ rounds: [ReplayShare.Round]) -> Bool {
    rounds.contains { $0.isOver || $0.failure != nil }
  }

  /// Plays pieces, and reads those of the next round meanwhile.
  private static func round(
    of shares: [ReplayShare], _ pieces: ReplayFeed.Round, _ feed: ReplayFeed, isEnding: Bool = false
  ) async -> (played: [ReplayShare.Round], next: ReplayFeed.Round) {
    let played = await withTaskGroup(of: (Int, ReplayShare.Round).self) { group in
      for (number, share) in shares.enumerated() {
        group.addTask {
          let round = await share.play(pieces, isEnding: isEnding)
          if !isEnding { await feed.work() }
          return (number, round)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
    return (played, await feed.exchange(pieces))
  }

  /// Hands on what happened, piece by piece, those of the first engine first.
  private static func show(_ rounds: [ReplayShare.Round], _ tally: ReplayTally) {
    if tally.summary.fileFailure == nil {
      tally.summary.fileFailure = rounds.lazy.compactMap(\.failure).first
    }
    var pieces: [Int: [ReplayTally.Event]] = [:]
    for round in rounds { pieces.merge(round.events) { $0 + $1 } }
    // Where an engine had to stop, the others have gone on: what they did there isn't shown.
    let last = rounds.filter { $0.failure != nil }.map(\.last).min() ?? .max
    for (number, events) in pieces.sorted(by: { $0.key < $1.key }) where tally.summary.outputFailure == nil {
      if number <= last { tally.take(events) }
    }
    tally.show(rounds[0].progress)
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static var coreCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}
