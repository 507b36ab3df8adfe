import Pipeline

/// Sources of a configuration at work without any script, seen by one observer.
struct SourceWatch {
  /// The sources in the order of their numbers.
  let names: [String]
  private let configuration: Configuration
  private let stopRequests: AsyncStream<Void>
  private let stopper: AsyncStream<Void>.Continuation

  /// Prepares some of the sources of a configuration.
  ///
  /// - Parameter names: sources of the configuration.
  init(_ names: [String], of configuration: Configuration) {
    self.configuration = configuration.alone(names)
    self.names = self.configuration.sources.keys.sorted()
    (stopRequests, stopper) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Asks for the end; from any thread.
  var stop: @Sendable () -> Void {
    let stopper = stopper
    return { stopper.yield() }
  }

  /// Connects, and lets the observer see what comes until the time is over, the sources end, or somebody stops it.
  ///
  /// - Parameter finish: called once nothing more comes, for a last line of the log.
  /// - Throws: `StartError` when the sources can't be started.
  func run(
    _ arguments: Arguments, _ console: Console, observer: @escaping @Sendable (SourceObservation) -> Void,
    finish: (Logger) throws -> Void
  ) async throws -> ExitCode {
    let (assembly, findings) = Assembly.assemble(configuration, registry: console.registry)
    guard let assembly else { return console.refuse(findings) }
    guard let signals = StopSignals.stream() else {
      console.complain("the process can have no more threads")
      return .failure
    }
    let listener = Task { [stop] in
      for await _ in signals { stop() }
    }
    defer { listener.cancel() }
    let logger = Logger(level: arguments.logLevel, use: .live, descriptor: console.errors.descriptor)
    defer { logger.finish() }
    let options = LiveOptions(duration: arguments.duration("for"), keepsState: false, observer: observer)
    let outcome = try await LiveHost.run(
      assembly, options: options, registry: console.registry, stopRequests: stopRequests,
      log: { level, origin, text in logger.write(level, origin, text) })
    try finish(logger)
    return outcome.isFailure ? .failure : .success
  }
}

extension Command {
  /// What a command does with the sources of the configuration that its first operand names; scripts aren't needed.
  static func onSources(
    _ arguments: Arguments, _ console: Console,
    _ body: (Configuration, Arguments, Console) async throws -> ExitCode
  ) async -> ExitCode {
    let (configuration, findings) = Assembly.readConfiguration(
      arguments.operands[0], registry: console.registry, needsScripts: false)
    guard let configuration else { return console.refuse(findings) }
    do {
      return try await body(configuration, arguments, console)
    } catch let error as UsageError {
      console.complain("\(error)")
      return .wrongUsage
    } catch {
      console.complain("\(error)")
      return .failure
    }
  }
}
