import Pipeline

extension Command {
  /// `record`: keeps what sources send.
  static let record = Command(
    name: "record", summary: "Records the messages of sources into a file, which replay takes",
    operands: [Operand(name: "CONFIG"), Operand(name: "SOURCE", isOptional: true, repeats: true)],
    options: [
      OptionDeclaration("output", .text(placeholder: "FILE"), "the file to append to; required"),
      OptionDeclaration("for", .duration, "how long, such as 1h; until the feeds end or ^C if not given"),
      OptionDeclaration(
        "max-size", .text(placeholder: "SIZE"),
        "such as 100MB: puts the file aside under the time when it is full, and begins a new one"),
      OptionDeclaration(
        "gzip", .flag, "compresses, as a FILE whose name ends in .gz does; one that is there is put aside"),
      .logLevel,
    ],
    details: [
      "Connects to all sources, or those that are named, with their opening messages. No script runs, and no stored "
        + "position is used. Each line is a message, or what happened to a connection, with its time and source."
    ],
    examples: [
      "pipeline record config.lua --output day.ndjson --for 24h",
      "pipeline record config.lua --output feed.ndjson.gz --max-size 100MB",
      "pipeline replay config.lua day.ndjson",
    ]
  ) { arguments, console in
    await onSources(arguments, console, Recorder.run)
  }
}
