import Pipeline
import Synchronization

/// The command `replay`: recorded messages through an engine on a virtual clock.
enum Replay {
  /// The most charts of one picture.
  private static let maximumCharts = 4

  /// Replays the files that the arguments name.
  ///
  /// - Throws: ``UsageError`` for arguments that don't fit, `FileError` for a file that can't be read or written.
  static func run(
    _ assembly: sending Assembly, _ arguments: Arguments, _ console: Console
  ) async throws -> ExitCode {
    var plan = try ReplayPlan(arguments, sources: assembly.sourceNames)
    // What would leave is kept with the time at which it would.
    plan.merges = assembly.mayMerge && arguments.text("publish") == nil
    let wantsChart = try wantsChart(arguments, assembly)
    let stop = StopFlag()
    defer { stop.cancel() }
    let logger = Logger(level: arguments.logLevel, use: .batch, descriptor: console.errors.descriptor)
    let groups = ScriptGroups(assembly.configuration)
    let tally = ReplayTally(
      groups: groups, router: assembly.router, logger: logger, errors: console.errors)
    let printer = AlertPrinter(output: console.output, format: arguments.format)
    tally.printer = printer
    if let folder = arguments.text("publish") { tally.publications = try PublicationFolder(folder) }
    if wantsChart { tally.chart = ChartRecorder(rule: arguments.text("rule"), key: arguments.text("key")) }
    // What leaves is written in its order, pictures and dumps are of one engine, and what is played slowly needs no
    // speed.
    let isSingle =
      arguments.has("single") || ["publish", "plot", "speed", "state"].contains { arguments.text($0) != nil }
    let parts = isSingle ? [] : SharedReplay.parts(of: assembly, groups, plan)
    let result: Result
    if parts.count > 1 {
      let shared = SharedReplay(
        configuration: assembly.configuration, registry: console.registry, plan: plan,
        isDecoded: plan.sources.indices.map { assembly.wiring.decodes($0) }, logger: logger)
      let summary = try await shared.play(parts, tally, stop)
      result = Result(summary: summary, alerts: [], charts: [], outages: [])
    } else {
      let playback = try Playback(plan, tally)
      playback.stateFile = arguments.text("state")
      result = try await play(playback, assembly, try plan.replies(), stop, charts: maximumCharts)
    }
    let summary = result.summary
    if summary.outputFailure == nil {
      do throws(OutputFailure) { try printer.finish(summary) } catch { return console.end(of: error) }
    }
    if let code = tell(summary, plan, console) { return code }
    if let path = arguments.text("plot") {
      try draw(result, to: path)
      console.note("the picture is in \(path)")
    }
    return summary.messages == 0 && !summary.unknownSources.isEmpty ? .failure : .success
  }

  /// What one passage came to.
  struct Result: Sendable {
    var summary: ReplaySummary
    var alerts: [Alert]
    var charts: [Chart]
    var outages: [ChartRecorder.Outage]
  }

  /// Plays on a host of its own.
  static func play(
    _ playback: sending Playback, _ assembly: sending Assembly, _ replies: sending VirtualEngine.Replies,
    _ stop: StopFlag, charts: Int = 0
  ) async throws -> Result {
    let loader = HistoryLoader(assembly.configuration, now: playback.beginning)
    playback.history = try await loader.load({ _ in true }, recorded: playback.recordedHistory)
    let host = await VirtualHost(
      wiring: assembly.wiring, sourceNames: assembly.sourceNames,
      channels: assembly.configuration.alertChannels, now: playback.beginning,
      replies: replies)
    return await run(playback, on: host, stop, charts: charts)
  }

  private static func run(
    _ playback: sending Playback, on host: isolated VirtualHost, _ stop: StopFlag, charts: Int
  ) -> Result {
    let summary = playback.play(on: host) { stop.isSet }
    let recorder = playback.tally.chart
    return Result(
      summary: summary, alerts: playback.tally.alerts, charts: recorder?.finish(limit: charts) ?? [],
      outages: recorder?.outages ?? [])
  }

  private static func wantsChart(_ arguments: Arguments, _ assembly: Assembly) throws(UsageError) -> Bool {
    let rule = arguments.text("rule")
    guard arguments.text("plot") != nil else {
      if rule != nil || arguments.text("key") != nil {
        throw UsageError("--rule and --key need --plot FILE.svg")
      }
      return false
    }
    let names = assembly.wiring.runners.flatMap { $0.rules.map(\.name) }
    guard !names.isEmpty else { throw UsageError("--plot: no script of the configuration has a rule") }
    if let rule, !names.contains(rule) {
      let hint = Suggestion.hint(for: rule, among: Set(names).sorted())
      throw UsageError("--rule: there is no rule '\(UsageError.shown(rule))'; \(hint)")
    }
    return true
  }

  private static func draw(_ result: Result, to path: String) throws(FileError) {
    guard let span = result.summary.span, !result.charts.isEmpty else {
      throw FileError("there is nothing to plot: no rule that was asked for got a value")
    }
    let picture = ChartDrawing.svg(
      of: result.charts, outages: result.outages, span: span.from.milliseconds...span.to.milliseconds)
    try TextFile.replace(path, picture)
  }

  /// Tells people what it came to; gives the code to end with if something went wrong.
  static func tell(_ summary: ReplaySummary, _ plan: ReplayPlan, _ console: Console) -> ExitCode? {
    for (name, lines) in summary.unknownSources.sorted(by: { $0.key < $1.key }) {
      console.complain(
        "\(counted(lines, "message")) skipped: \(UsageError.unknownSource(name, among: plan.sources))")
    }
    console.note(([summary.line] + summary.keyLines).joined(separator: "\n"))
    if let line = summary.reloadLine { console.complain(line) }
    if let failure = summary.fileFailure {
      console.complain("\(failure)")
      return .failure
    }
    return summary.outputFailure.map { console.end(of: $0) }
  }
}

/// Whether somebody asked for the end by a signal.
final class StopFlag: Sendable {
  private let isOver = Atomic(false)
  private let listener = Mutex<Task<Void, Never>?>(nil)

  /// Listens from now on; without another thread to be had, signals end the program as they do by default.
  init() {
    guard let signals = StopSignals.stream() else { return }
    let task = Task { [weak self] in
      for await _ in signals { self?.isOver.store(true, ordering: .relaxed) }
    }
    listener.withLock { $0 = task }
  }

  /// Whether the end was asked for.
  var isSet: Bool { isOver.load(ordering: .relaxed) }

  /// Ends the listening.
  func cancel() { listener.withLock { $0?.cancel() } }
}

extension Assembly {
  /// Whether several sources may be seen to in one turn: nothing that scripts do to the world comes back to them.
  var mayMerge: Bool {
    configuration.reducers.isEmpty
      && !files.values.contains { file in ["connect", "disconnect", "http"].contains { file.names($0) } }
  }

  /// What says which alerts go nowhere; nil where there is no channel, and all count.
  var router: AlertRouter? { configuration.alertChannels.isEmpty ? nil : wiring.router }
}
