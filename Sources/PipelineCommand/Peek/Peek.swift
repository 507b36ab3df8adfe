import Pipeline

/// One look at a source: what it sends, as it comes, with no script in between.
enum Peek {
  /// Connects to the source that the arguments name and prints its messages.
  ///
  /// Nothing is stored, and no stored position is used: the running host doesn't notice.
  ///
  /// - Throws: ``UsageError`` for a source that the configuration doesn't have, `StartError` when the source
  ///   can't be started.
  static func run(
    _ configuration: Configuration, _ arguments: Arguments, _ console: Console
  ) async throws -> ExitCode {
    let source = try name(
      ofSource: arguments.operands.dropFirst().first, among: configuration.sources.keys.sorted())
    let (assembly, findings) = Assembly.assemble(configuration.alone(source))
    guard let assembly else { return console.refuse(findings) }
    guard let signals = StopSignals.stream() else {
      console.complain("the process can have no more threads")
      return .failure
    }
    let (stopRequests, stopper) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let listener = Task {
      for await _ in signals { stopper.yield() }
    }
    defer { listener.cancel() }
    let printer = MessagePrinter(
      source: source, output: console.output, format: arguments.format,
      limit: arguments.count("count") ?? .max, finish: { stopper.yield() })
    let logger = Logger(level: arguments.logLevel, use: .live, descriptor: console.errors.descriptor)
    defer { logger.finish() }
    let options = LiveOptions(
      duration: arguments.duration("for"), keepsState: false, tap: { printer.print($0) })
    let outcome = try await LiveHost.run(
      assembly, options: options, registry: .builtIn, stopRequests: stopRequests,
      log: { level, origin, text in logger.write(level, origin, text) })
    if let failure = printer.failure { return console.end(of: failure) }
    if printer.count == 0 { logger.write(.warn, source, "no message came") }
    return outcome.isFailure ? .failure : .success
  }

  private static func name(ofSource name: String?, among names: [String]) throws(UsageError) -> String {
    guard let name else {
      if names.count == 1, let only = names.first { return only }
      throw UsageError("name one of the sources: \(names.joined(separator: ", "))")
    }
    guard names.contains(name) else { throw .unknownSource(name, among: names) }
    return name
  }
}
