import Pipeline
import Scripting

/// The option `--compare`: the same messages through two scripts, or two configurations, and which alerts differ.
enum ReplayComparison {
  /// Replays the files twice and prints what differs.
  ///
  /// - Throws: ``UsageError`` for arguments that don't fit, `FileError` for a file that can't be read.
  static func run(
    _ assembly: sending Assembly, _ arguments: Arguments, _ console: Console
  ) async throws -> ExitCode {
    for name in ["publish", "plot", "speed", "state"] where arguments.text(name) != nil {
      throw UsageError("give --compare or --\(name), not both")
    }
    guard !arguments.operands.contains("-") else {
      throw UsageError("--compare reads the files twice, which the standard input can't be")
    }
    let path = arguments.text("compare") ?? ""
    let (other, findings) = try other(path, beside: assembly.configuration, arguments, console.registry)
    guard let other else { return console.refuse(findings) }
    let printer = AlertPrinter(output: console.output, format: arguments.format)
    let names = (first: arguments.operands[0], second: path)
    let stop = StopFlag()
    defer { stop.cancel() }
    let before = try await alerts(assembly, arguments, console, stop)
    guard let before = before.alerts else { return before.code }
    let after = try await alerts(other, arguments, console, stop)
    guard let after = after.alerts else { return after.code }
    let comparison = AlertComparison(before, after)
    do throws(OutputFailure) {
      for change in comparison.changes { try printer.print(change) }
      if printer.isJSON { try printer.write(comparison.json) }
    } catch {
      return console.end(of: error)
    }
    console.note(
      "\(counted(before.count, "alert")) with \(names.first), \(after.count) with \(names.second): "
        + comparison.line)
    return .success
  }

  /// The configuration with another script in place of its own, or another configuration.
  private static func other(
    _ path: String, beside configuration: Configuration, _ arguments: Arguments, _ registry: Registry
  ) throws -> (Assembly?, Findings) {
    if isConfiguration(path, registry) { return Assembly.load(path, registry: registry) }
    let names = configuration.scripts.keys.sorted()
    var script = names.count == 1 ? names.first : nil
    if let name = arguments.text("script") {
      guard names.contains(name) else {
        throw UsageError(
          "--script: there is no script '\(UsageError.shown(name))'; \(Suggestion.hint(for: name, among: names))"
        )
      }
      script = name
    }
    guard let script else {
      throw UsageError(
        "say with --script which script \(UsageError.shown(path)) stands for: \(names.joined(separator: ", "))"
      )
    }
    return Assembly.assemble(configuration.replacing(script: script, with: path), registry: registry)
  }

  /// Whether a file returns a table with sources or scripts; whatever can't be run as a configuration is a script,
  /// and says what is wrong with it as one.
  private static func isConfiguration(_ path: String, _ registry: Registry) -> Bool {
    do {
      let value = try ConfigurationFile.evaluate(path, registry: registry)
      return value["sources"] != nil || value["scripts"] != nil
    } catch {
      return false
    }
  }

  private static func alerts(
    _ assembly: sending Assembly, _ arguments: Arguments, _ console: Console, _ stop: StopFlag
  ) async throws -> (alerts: [Alert]?, code: ExitCode) {
    var plan = try ReplayPlan(arguments, sources: assembly.sourceNames)
    plan.merges = assembly.mayMerge
    let logger = Logger(level: arguments.logLevel, use: .batch, descriptor: console.errors.descriptor)
    let tally = ReplayTally(
      groups: ScriptGroups(assembly.configuration), router: assembly.router, logger: logger,
      errors: console.errors)
    tally.keepsAlerts = true
    let playback = try Playback(plan, tally)
    let result = try await Replay.play(playback, assembly, try plan.replies(), stop)
    if let code = Replay.tell(result.summary, plan, console) { return (nil, code) }
    return (result.alerts, .success)
  }
}

extension AlertComparison {
  private var counts: (new: Int, gone: Int, moved: Int) {
    changes.reduce(into: (0, 0, 0)) { counts, change in
      switch change {
      case .new: counts.0 += 1
      case .gone: counts.1 += 1
      case .moved: counts.2 += 1
      }
    }
  }

  /// How many alerts are new, gone, moved and the same.
  var line: String {
    let counts = counts
    return "\(counts.new) new, \(counts.gone) gone, \(counts.moved) moved, \(sameCount) the same"
  }

  /// The same as a line of JSON.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("comparison")
    writer.beginObject()
    let counts = counts
    for (name, count) in [
      ("new", counts.new), ("gone", counts.gone), ("moved", counts.moved), ("same", sameCount),
    ] {
      writer.key(name)
      writer.integer(Int64(count))
    }
    writer.endObject()
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

extension AlertPrinter {
  /// Prints one difference.
  func print(_ change: AlertComparison.Change) throws(OutputFailure) {
    guard isJSON else { return try write(Array(text(of: change).utf8) + line(change.alert)) }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("change")
    writer.text(change.name)
    if case .moved(let from, _) = change {
      writer.key("from")
      writer.text(from.time.rfc3339())
    }
    writer.key("alert")
    line(change.alert).dropLast().withUnsafeBytes { writer.json($0) }
    writer.endObject()
    try write(writer.bytes + [UInt8(ascii: "\n")])
  }

  /// A span in its two largest units.
  private static func shown(_ milliseconds: UInt64) -> String {
    let seconds = milliseconds / 1_000
    switch seconds {
    case 0: return "\(milliseconds)ms"
    case ..<60: return milliseconds % 1_000 == 0 ? "\(seconds)s" : "\(seconds).\(milliseconds % 1_000 / 100)s"
    case ..<3_600: return "\(seconds / 60)m\(seconds % 60)s"
    case ..<86_400: return "\(seconds / 3_600)h\(seconds / 60 % 60)m"
    default: return "\(seconds / 86_400)d\(seconds / 3_600 % 24)h"
    }
  }

  private func text(of change: AlertComparison.Change) -> String {
    switch change {
    case .new: return "new    "
    case .gone: return "gone   "
    case .moved(let from, let to):
      let span = to.time - from.time
      return "moved  \(span.count < 0 ? "−" : "+")\(Self.shown(span.count.magnitude))  "
    }
  }
}

extension AlertComparison.Change {
  fileprivate var name: String {
    switch self {
    case .new: "new"
    case .gone: "gone"
    case .moved: "moved"
    }
  }

  /// The alert as it is now, or was last.
  fileprivate var alert: Alert {
    switch self {
    case .new(let alert), .gone(let alert), .moved(_, let alert): alert
    }
  }
}
