import Pipeline
import Scripting

extension Command {
  /// `doctor`: looks at the way to each source.
  static let doctor = Command(
    name: "doctor", summary: "Looks at the way to each source, and says what to do where it is blocked",
    operands: [
      Operand(name: "CONFIG"), Operand(name: "SOURCE", isOptional: true, repeats: true),
    ],
    options: [
      OptionDeclaration("for", .duration, "how long to wait for a first message of each, 10s if not given"),
      .listFormat,
    ],
    details: [
      "For each source, or those that are named: the name's address, the connection and its round trip, TLS with the "
        + "certificate's issuer and end, the opening, and the first message. The sources are tried side by side, as a "
        + "host would, but no script runs and nothing is stored.",
      "It ends with 1 if anything failed. Where the time matters: each is tried once, so a server that limits how "
        + "often clients come counts it.",
    ],
    examples: ["pipeline doctor config.lua", "pipeline doctor config.lua btc --for 30s --format json"]
  ) { arguments, console in
    await onSources(arguments, console) { configuration, arguments, console in
      let known = configuration.sources.keys.sorted()
      var names = known
      if arguments.operands.count > 1 { names = Array(Set(arguments.operands.dropFirst())).sorted() }
      for name in names where !known.contains(name) { throw UsageError.unknownSource(name, among: known) }
      let limit = arguments.duration("for") ?? .seconds(10)
      let examinations = await Doctor.examine(
        names, of: configuration, registry: console.registry, limit: limit)
      let text =
        arguments.writesJSON(to: console.output)
        ? examinations.flatMap(\.lines).map { $0.json + "\n" }.joined() : Examination.table(examinations)
      if let code = console.print(text) { return code }
      return examinations.contains(where: \.isFailure) ? .failure : .success
    }
  }
}
