import Pipeline

/// What a replay is asked to do, read from its arguments.
struct ReplayPlan: Sendable {
  /// The configuration's file.
  var config: String
  /// The names of the files with the source that a name puts before one, as in `btc=trades.csv`.
  var files: [(path: String, source: Int?)]
  /// The names of the sources in the order of their numbers.
  var sources: [String]
  var from: Timestamp?
  var to: Timestamp?
  /// How many times faster than it was recorded; nil for as fast as possible.
  var speed: Double?
  /// Whether messages of several sources may be handed over together, since nothing that scripts do to the world makes
  /// a difference to what they see next.
  var merges = false
  /// The source of plain messages, or the only one of recordings.
  private var source: Int?
  private var interval: Milliseconds?
  private var dump: DumpReader?

  /// Reads the arguments.
  ///
  /// - Throws: ``UsageError`` for what doesn't fit together.
  init(_ arguments: Arguments, sources: [String]) throws(UsageError) {
    config = arguments.operands[0]
    self.sources = sources
    files = arguments.operands.dropFirst().map { Self.file($0, sources) }
    if files.filter({ $0.path == "-" }).count > 1 {
      throw UsageError("the standard input can be read only once")
    }
    if let name = arguments.text("source") {
      guard let number = sources.firstIndex(of: name) else { throw .unknownSource(name, among: sources) }
      source = number
    }
    from = try Self.time("from", arguments)
    to = try Self.time("to", arguments)
    if let from, let to, from >= to { throw UsageError("--to has to be later than --from") }
    if let text = arguments.text("speed") {
      guard let speed = Double(text), speed.isFinite, speed > 0 else {
        throw UsageError(
          "--speed: expected a number above 0, such as 1 or 60, got '\(UsageError.shown(text))'")
      }
      self.speed = speed
    }
    interval = arguments.duration("interval")
    dump = try Self.dump(arguments)
    if dump != nil, interval != nil { throw UsageError("give --interval or --time-field, not both") }
  }

  private static func file(_ operand: String, _ sources: [String]) -> (path: String, source: Int?) {
    guard let sign = operand.firstIndex(of: "="), !TextFile.exists(operand),
      let source = sources.firstIndex(of: String(operand[..<sign]))
    else { return (operand, nil) }
    return (String(operand[operand.index(after: sign)...]), source)
  }

  private static func time(_ name: String, _ arguments: Arguments) throws(UsageError) -> Timestamp? {
    guard let text = arguments.text(name) else { return nil }
    if let time = Timestamp(parsing: text, in: .utc) { return time }
    if let number = Int64(text) { return Timestamp(milliseconds: number) }
    throw UsageError(
      "--\(name): expected a time in UTC such as 2026-11-30, \"2026-11-30 10:00\" or 2026-11-30T10:00:00+01:00, "
        + "got '\(UsageError.shown(text))'")
  }

  private static func dump(_ arguments: Arguments) throws(UsageError) -> DumpReader? {
    let columns = arguments.text("columns")?.split(separator: ",").map(String.init) ?? []
    let isTable = arguments.has("csv") || !columns.isEmpty
    guard let field = arguments.text("time-field") else {
      if isTable { throw UsageError("say with --time-field COLUMN where the rows carry their times") }
      if arguments.text("time-unit") != nil { throw UsageError("--time-unit needs --time-field") }
      return nil
    }
    let unit = arguments.text("time-unit").flatMap(DumpTime.Unit.init)
    return DumpReader(
      time: DumpTime(field: field, unit: unit), table: isTable ? TableReader(columns: columns) : nil)
  }

  /// Opens the files anew, each at its start.
  ///
  /// - Throws: ``UsageError`` where it isn't known which source messages come from, `FileError` for a file that
  ///   can't be read.
  func open(_ fault: @escaping RecordingReader.FaultSink) throws -> RecordingReader {
    var cursors: [RecordingCursor] = []
    for (path, named) in files {
      let file = try RecordingFile(path: path)
      cursors.append(RecordingCursor(file, form: try form(of: file, named: named), sources: sources))
    }
    return RecordingReader(
      cursors, from: from, to: to, isSingle: speed != nil, merges: merges, fault: fault)
  }

  /// Where the replies to requests of scripts come from.
  ///
  /// - Throws: `FileError` for a file that can't be read.
  func replies() throws(FileError) -> VirtualEngine.Replies {
    guard dump == nil, interval == nil else { return .none }
    var all: RecordedOutcomes?
    for (path, _) in files {
      // One that can be read but once leaves it open what comes.
      guard let outcomes = try RecordingFile.outcomes(of: path) else { continue }
      if all == nil { all = outcomes } else { all?.merge(outcomes) }
    }
    return .recorded(all)
  }

  private func form(of file: RecordingFile, named: Int?) throws -> RecordingForm {
    if dump == nil, interval == nil, try file.isRecording { return .recording(only: named ?? source) }
    guard let source = named ?? source ?? (sources.count == 1 ? 0 : nil) else {
      throw UsageError(
        "the lines of \(file.name) don't say which source they come from; name one with --source, or as in "
          + "\(sources[0])=FILE: \(sources.joined(separator: ", "))")
    }
    if let dump { return .dump(source: source, dump) }
    return .messages(source: source, interval: interval ?? .seconds(1))
  }
}
