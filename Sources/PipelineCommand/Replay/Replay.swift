import Glibc
import Pipeline
import Scripting

/// One replay: a file through an engine on a virtual clock.
enum Replay {
  /// Replays the file that the arguments name.
  ///
  /// - Throws: ``UsageError`` for a source that doesn't fit, `FileError` for a file that can't be read.
  static func run(
    _ assembly: sending Assembly, _ arguments: Arguments, _ console: Console
  ) async throws -> ExitCode {
    let names = assembly.sourceNames
    let path = arguments.operands[1]
    let file = try RecordingFile(path: path)
    let isRecording = file.isRecording && arguments.duration("interval") == nil
    let source = try number(ofSource: arguments.text("source"), among: names, isRecording: isRecording)
    let start = isRecording ? file.firstTime : nil
    let interval = arguments.duration("interval") ?? .seconds(1)
    let plan = Plan(
      path: path, form: isRecording ? .recording : .messages(source: source ?? 0, interval: interval),
      sources: names, only: isRecording ? source : nil)
    let channels = assembly.configuration.alertChannels
    let logger = Logger(level: arguments.logLevel, use: .batch, descriptor: console.errors.descriptor)
    let printer = AlertPrinter(
      output: console.output, format: arguments.format,
      router: channels.isEmpty ? nil : assembly.wiring.router)
    let outcomes = try isRecording ? file.outcomes() : nil
    let host = await VirtualHost(
      wiring: assembly.wiring, sourceNames: names, channels: channels,
      now: start ?? RecordingBatches.firstTime, replies: isRecording ? .recorded(outcomes) : .none)
    let summary = await play(file, plan, printer, logger, on: host)
    for (name, lines) in summary.unknownSources.sorted(by: { $0.key < $1.key }) {
      console.complain(
        "\(counted(lines, "message")) skipped: \(UsageError.unknownSource(name, among: names))")
    }
    console.note(summary.line)
    if let failure = summary.fileFailure {
      console.complain("\(failure)")
      return .failure
    }
    if let failure = summary.outputFailure { return console.end(of: failure) }
    return summary.messages == 0 && !summary.unknownSources.isEmpty ? .failure : .success
  }

  /// How a file is to be read.
  private struct Plan: Sendable {
    var path: String
    var form: RecordingBatches.Form
    var sources: [String]
    var only: Int?
  }

  private static func number(
    ofSource name: String?, among names: [String], isRecording: Bool
  ) throws(UsageError) -> Int? {
    guard let name else {
      guard !isRecording, names.count > 1 else { return isRecording ? nil : 0 }
      throw UsageError(
        "the lines don't say which source they come from; name one with --source: \(names.joined(separator: ", "))"
      )
    }
    guard let number = names.firstIndex(of: name) else { throw .unknownSource(name, among: names) }
    return number
  }

  /// Plays the file on the host itself, so that a batch costs no hop.
  private static func play(
    _ file: consuming RecordingFile, _ plan: Plan, _ printer: AlertPrinter, _ logger: Logger,
    on host: isolated VirtualHost
  ) -> ReplaySummary {
    var batches = RecordingBatches(form: plan.form, sources: plan.sources, only: plan.only)
    var summary = ReplaySummary()
    let begin = nanoseconds()
    func takeEvents() {
      do throws(OutputFailure) {
        try printer.print(host.takeEvents(), logger, &summary)
      } catch {
        summary.outputFailure = error
      }
    }
    host.start()
    takeEvents()
    do throws(FileError) {
      try file.read(
        into: &batches, isStopped: { summary.outputFailure != nil },
        fault: { line, fault in logger.write(.warn, plan.path, "line \(line) is skipped: \(fault)") },
        tell: { event in
          host.tell(event)
          takeEvents()
        },
        deliver: { batch, source in
          host.receive(batch, source: source)
          takeEvents()
        })
    } catch {
      summary.fileFailure = error
    }
    host.flush()
    if summary.outputFailure == nil { takeEvents() }
    summary.messages = batches.messageCount
    summary.errors += batches.faultyCount
    summary.unknownSources = batches.unknownSources
    summary.seconds = Double(nanoseconds() - begin) / 1e9
    return summary
  }

  private static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
