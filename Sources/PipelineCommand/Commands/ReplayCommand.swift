import Pipeline

extension Command {
  /// `replay`: runs recorded messages through the scripts of a configuration.
  static let replay = Command(
    name: "replay", summary: "Runs recorded messages through the scripts, as fast as possible",
    operands: [Operand(name: "CONFIG"), Operand(name: "FILE", repeats: true)],
    options: [
      .format,
      OptionDeclaration(
        "from", .text(placeholder: "TIME"),
        "passes over what is earlier, such as 2026-11-30 or \"2026-11-30 18:00\"; UTC without an offset"),
      OptionDeclaration("to", .text(placeholder: "TIME"), "ends before what is at that time or later"),
      OptionDeclaration(
        "speed", .text(placeholder: "N"), "N times the speed at which it was recorded; without, no waiting"),
      OptionDeclaration(
        "source", .text(placeholder: "NAME"),
        "the source that plain messages come from, if the configuration has several; of a recording, the only "
          + "source whose messages count"),
      OptionDeclaration(
        "interval", .duration, "takes lines as plain messages, so far apart; 1s if not given"),
      OptionDeclaration(
        "time-field", .text(placeholder: "PATH"),
        "where plain messages carry their times, such as data.T, or 1 for the first of a list"),
      OptionDeclaration(
        "time-unit", .choice(DumpTime.Unit.allCases.map(\.rawValue)),
        "what numbers there count; told by their size if not given"),
      OptionDeclaration("csv", .flag, "FILE is a table whose first line names the columns"),
      OptionDeclaration(
        "columns", .text(placeholder: "NAMES"),
        "FILE is a table without such a line; names with commas between"),
      OptionDeclaration(
        "compare", .text(placeholder: "OTHER.lua"),
        "another script, or configuration: prints which alerts are new, gone or moved with it"),
      OptionDeclaration(
        "script", .text(placeholder: "NAME"), "the script that OTHER.lua stands for, if there are several"),
      OptionDeclaration(
        "plot", .text(placeholder: "FILE.svg"), "draws what the rules watched, their levels and the alerts"),
      OptionDeclaration("rule", .text(placeholder: "NAME"), "the only rule that --plot draws"),
      OptionDeclaration(
        "key", .text(placeholder: "KEY"),
        "the only key that --plot draws; those with most alerts if not given"),
      OptionDeclaration(
        "publish", .text(placeholder: "DIR"), "keeps in files what channels, servers and hosts would have got"
      ),
      OptionDeclaration(
        "state", .text(placeholder: "FILE"),
        "keeps what the scripts know at the end: a line for each state, standing of a rule and timer"),
      OptionDeclaration(
        "single", .flag,
        "plays all scripts on one processor core; otherwise those that no topic connects are shared out"),
      .logLevel,
    ],
    details: [
      "FILE holds a message a line, or a recording: lines such as "
        + "{\"time\":1767225600000,\"source\":\"btc\",\"message\":{…}}, with \"text\":\"…\" in place of "
        + "\"message\" for what isn't JSON. The first line decides. gzip data are inflated, and '-' is the standard "
        + "input. Several files are read as one, in the order of time; SOURCE=FILE says which source the plain "
        + "messages of one come from.",
      "With --csv a row is a message: an object with the columns as members. Cells that are numbers, true or false "
        + "stand as they are, empty ones are null, and others, or those in quotation marks, texts.",
      "Time is that of the messages; plain ones without it begin at 2026-01-01. Timers and rules fall due on the "
        + "way, before a message of the same time. Nothing is delivered or stored: the alerts are printed, then a "
        + "summary on standard error, and as the last line where alerts are JSON. The same input gives the same "
        + "output.",
      "Scripts with a warm_up begin with the history that the recording holds, or else with that of the file which "
        + "the configuration names; nothing is asked over the network.",
      "A recording tells which versions of the scripts it was made with, and where another took the place of one. A "
        + "replay doesn't repeat such reloads: the files at hand run from its beginning to its end, so what other "
        + "versions did may come out differently. Each reload is told with its time and versions, and the summary "
        + "counts them. For a part as it was, give --from and --to, and the file that ran then.",
    ],
    examples: [
      "pipeline replay config.lua yesterday.ndjson.gz --from \"2026-11-30 08:00\" --plot day.svg",
      "pipeline replay config.lua yesterday.ndjson --compare alert-new.lua",
      "pipeline replay config.lua btc=BTCUSDT.csv eth=ETHUSDT.csv --csv --time-field time",
      "pipeline replay config.lua prices.ndjson --interval 100ms",
    ]
  ) { arguments, console in
    let (assembly, findings) = Assembly.load(arguments.operands[0], registry: console.registry)
    guard let assembly else { return console.refuse(findings) }
    do {
      if arguments.text("compare") != nil {
        return try await ReplayComparison.run(assembly, arguments, console)
      }
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
