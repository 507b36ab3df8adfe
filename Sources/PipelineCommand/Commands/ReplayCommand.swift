import Pipeline

extension Command {
  /// `replay`: runs recorded messages through the scripts of a configuration.
  static let replay = Command(
    name: "replay", summary: "Runs recorded messages through the scripts, as fast as possible",
    operands: [Operand(name: "CONFIG"), Operand(name: "FILE")],
    options: [
      .format,
      OptionDeclaration(
        "source", .text(placeholder: "NAME"),
        "the source that plain messages come from, if the configuration has several; of a recording, the only "
          + "source whose messages count"),
      OptionDeclaration(
        "interval", .duration, "takes lines as plain messages, so far apart; 1s if not given"),
      .logLevel,
    ],
    details: [
      "FILE holds a message a line, or a recording: lines such as "
        + "{\"time\":1767225600000,\"source\":\"btc\",\"message\":{…}}, with \"text\":\"…\" in place of "
        + "\"message\" for what isn't JSON. The first line decides. '-' is the standard input.",
      "Time is that of the messages; plain ones begin at 2026-01-01. Timers and rules fall due on the way, before a "
        + "message of the same time. Nothing is delivered or stored: the alerts are printed, then a summary on "
        + "standard error. The same input gives the same output.",
    ],
    examples: [
      "pipeline replay config.lua yesterday.ndjson",
      "pipeline replay config.lua prices.ndjson --interval 100ms",
    ]
  ) { arguments, console in
    let (assembly, findings) = Assembly.load(arguments.operands[0], registry: console.registry)
    guard let assembly else { return console.refuse(findings) }
    do {
      return try await Replay.run(assembly, arguments, console)
    } catch let error as UsageError {
      console.complain("\(error)")
      return .wrongUsage
    } catch {
      console.complain("\(error)")
      return error is FileError ? .wrongUsage : .failure
    }
  }
}
