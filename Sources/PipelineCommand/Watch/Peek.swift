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
    let watch = SourceWatch([source], of: configuration)
    let printer = MessagePrinter(
      source: source, output: console.output, format: arguments.format,
      limit: arguments.count("count") ?? .max, finish: watch.stop)
    let code = try await watch.run(
      arguments, console,
      observer: { observation in
        if case .messages(let batch, _) = observation { printer.print(batch) }
      },
      finish: { logger in
        if printer.count == 0, printer.failure == nil { logger.write(.warn, source, "no message came") }
      })
    if let failure = printer.failure { return console.end(of: failure) }
    return code
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
