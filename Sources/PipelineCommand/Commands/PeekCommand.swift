import Pipeline

extension Command {
  /// `peek`: shows what a source sends.
  static let peek = Command(
    name: "peek", summary: "Prints the messages of a source as they come",
    operands: [Operand(name: "CONFIG"), Operand(name: "SOURCE", isOptional: true)],
    options: [
      OptionDeclaration("count", .count(1...Int64.max), "ends behind so many messages"),
      OptionDeclaration("for", .duration, "how long, such as 30s; until the source ends or ^C if not given"),
      OptionDeclaration(
        "format", .choice(ConsoleChannel.Format.allCases.map(\.rawValue)),
        "how messages are written: indented for reading, or as the lines of a recording, which replay takes; "
          + "text on a terminal and JSON lines otherwise if not given"),
      .logLevel,
    ],
    details: [
      "Connects to SOURCE as the configuration says, with its opening messages; it may be left out where there "
        + "is only one. No script runs, and nothing is stored."
    ],
    examples: [
      "pipeline peek config.lua btc --count 1",
      "pipeline peek config.lua btc --for 1m --format json > minute.ndjson",
    ]
  ) { arguments, console in
    await onSources(arguments, console, Peek.run)
  }
}
