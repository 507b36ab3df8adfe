import Pipeline

extension Command {
  /// `run`: connects to the feeds of a configuration.
  static let run = Command(
    name: "run", summary: "Connects to the feeds of a configuration and runs its scripts",
    operands: [Operand(name: "CONFIG")],
    options: [
      OptionDeclaration("for", .duration, "how long, such as 30s; until the feeds end or ^C if not given"),
      .format, .logLevel,
      OptionDeclaration("no-state", .flag, "keeps everything in memory and leaves the storage alone"),
      OptionDeclaration(
        "dry-run", .flag,
        "lets nothing leave: alerts for other channels than the console, requests and messages of scripts are only "
          + "logged, and nothing is stored"),
      OptionDeclaration(
        "record", .text(placeholder: "FILE"),
        "records what sources send, and the replies that scripts get, for replay; compressed if it ends in .gz"
      ),
    ],
    details: [
      "Alerts go where the configuration's routes say, the log to standard error. SIGINT and SIGTERM stop it "
        + "cleanly, a second one at once.",
      "Scripts and parameters are reloaded when their files change, and on SIGHUP; see 'pipeline help reload'. "
        + "'pipeline status' tells how it is doing.",
    ],
    examples: [
      "pipeline run config.lua", "pipeline run config.lua --for 10m --format json",
      "pipeline run config.lua --dry-run --record day.ndjson.gz",
    ]
  ) { arguments, console in
    let (assembly, findings) = Assembly.load(arguments.operands[0], registry: console.registry)
    guard let assembly else { return console.refuse(findings) }
    guard let signals = StopSignals.streams() else {
      console.complain("the process can have no more threads")
      return .failure
    }
    var options = LiveOptions(
      duration: arguments.duration("for"), format: arguments.format, keepsState: !arguments.has("no-state"))
    options.isDryRun = arguments.has("dry-run")
    options.supervision = LiveOptions.Supervision(reloadRequests: signals.reload)
    let logger = Logger(level: arguments.logLevel, use: .live, descriptor: console.errors.descriptor)
    defer { logger.finish() }
    do {
      // A recording that can't be written any more is no reason to stop listening.
      let recorder = try arguments.text("record").map { path in
        try Recorder(to: path, arguments, names: assembly.sourceNames) {
          logger.write(.error, "record", "\($0); nothing is recorded from here on")
        }
      }
      if let recorder { options.observer = { recorder.write($0) } }
      let outcome = try await LiveHost.run(
        assembly, options: options, registry: console.registry, stopRequests: signals.stop,
        log: { level, origin, text in logger.write(level, origin, text) })
      if outcome.undeliveredCount > 0 {
        logger.write(
          .warn, "host", "\(counted(outcome.undeliveredCount, "alert")) could not be delivered yet")
      }
      try recorder?.finish(logger)
      for failure in outcome.failedSources { logger.write(.error, "host", failure) }
      return outcome.isFailure ? .failure : .success
    } catch {
      console.complain("\(error)")
      return error is UsageError ? .wrongUsage : .failure
    }
  }
}

extension Console {
  /// Tells what is wrong with a configuration that was to be used.
  func refuse(_ findings: Findings) -> ExitCode {
    note(findings.description)
    return .wrongUsage
  }
}
