import Pipeline
import ScriptTesting
import Scripting

extension Command {
  /// `quarantine`: shows messages that failed.
  static let quarantine = Command(
    name: "quarantine", summary: "Shows messages that a script failed on, and why",
    operands: [Operand(name: "CONFIG"), Operand(name: "NUMBER", isOptional: true)],
    options: [
      OptionDeclaration("limit", .count(1...Int64.max), "shows so many at most, 20 if not given"),
      OptionDeclaration(
        "as-test", .text(placeholder: "FILE"), "writes a test that hands the message of NUMBER to its script"),
      .listFormat,
    ],
    details: [
      "Lists the latest first; with NUMBER it shows one in full. It reads the storage, whether a host is using it "
        + "or not: what it shows is at most a second old."
    ],
    examples: [
      "pipeline quarantine config.lua", "pipeline quarantine config.lua 17",
      "pipeline quarantine config.lua 17 --as-test failing_test.lua",
    ]
  ) { arguments, console in
    onStorage(arguments, console) { stored in
      guard let operand = arguments.operands.dropFirst().first else {
        if arguments.has("as-test") { throw UsageError("--as-test needs the NUMBER of a message") }
        return try list(stored, arguments, console)
      }
      guard let number = Int64(operand), number > 0 else {
        throw UsageError("expected the number of a message, got '\(UsageError.shown(operand))'")
      }
      guard let row = try stored.reader.quarantined(number) else {
        console.complain("the quarantine has no message \(number); 'pipeline quarantine' lists what it has")
        return .failure
      }
      if let file = arguments.text("as-test") {
        return try writeTest(of: row, number: number, to: file, stored, console)
      }
      let isJSON = arguments.writesJSON(to: console.output)
      return console.print(isJSON ? row.json(number: number) + "\n" : row.page(number: number)) ?? .success
    }
  }

  private static func list(
    _ stored: StoredState, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    let rows = try stored.reader.quarantine(limit: Int(clamping: arguments.count("limit") ?? 20))
    if arguments.writesJSON(to: console.output) {
      return console.print(rows.map { $0.row.json(number: $0.number) + "\n" }.joined()) ?? .success
    }
    if rows.isEmpty { return console.print("the quarantine is empty\n") ?? .success }
    let lines = rows.map { number, row in
      let script = row.script.isEmpty ? row.source : row.script
      return "\(number)  \(row.time.rfc3339(fraction: false))  \(script.printable): \(row.reason.printable)\n"
    }
    return console.print(lines.joined()) ?? .success
  }

  private static func writeTest(
    of row: QuarantineRow, number: Int64, to file: String, _ stored: StoredState, _ console: Console
  ) throws -> ExitCode {
    guard let script = stored.configuration.scripts[row.script] else {
      throw UsageError(
        row.script.isEmpty
          ? "message \(number) could not be decoded, so no script has seen it"
          : "the configuration has no script '\(row.script)' any more")
    }
    guard !row.input.contains(".") else {
      throw UsageError(
        "message \(number) failed in \(row.input), which no message of a source leads to; write the test by hand"
      )
    }
    var row = row
    if let source = stored.configuration.sources[row.source] { row.message = source.converted(row.message) }
    let test = QuarantineTest(row: row, number: number, script: script.file, parameters: script.parameters)
    try TextFile.create(file, test.text)
    console.note("made \(file); next: pipeline test \(file)")
    return .success
  }
}

extension OptionDeclaration {
  /// How stored things are written.
  static let listFormat = OptionDeclaration(
    "format", .choice(ConsoleChannel.Format.allCases.map(\.rawValue)),
    "how it is written; text on a terminal and JSON lines otherwise if not given")
}

extension QuarantineRow {
  /// The message as text, whatever bytes it has.
  var messageText: String { String(decoding: message, as: UTF8.self) }

  fileprivate func json(number: Int64) -> String {
    var value: [String: Value] = [
      "number": .integer(number), "time": .text(time.rfc3339()), "script": .text(script),
      "source": .text(source), "input": .text(input), "reason": .text(reason), "place": .text(place),
      "traceback": .text(traceback), "message": .text(messageText), "bytes": .integer(Int64(messageLength)),
    ]
    if !marks.topic.isEmpty { value["topic"] = .text(marks.topic) }
    if let happened = marks.happened { value["happened"] = .text(happened.rfc3339()) }
    return Value.map(value).json
  }

  fileprivate func page(number: Int64) -> String {
    var lines = ["message \(number), \(time.rfc3339())"]
    if !script.isEmpty { lines.append("script     \(script.printable)") }
    if !source.isEmpty { lines.append("source     \(source.printable)") }
    if !input.isEmpty { lines.append("input      \(input.printable)") }
    if !marks.topic.isEmpty { lines.append("topic      \(marks.topic.printable)") }
    if let happened = marks.happened { lines.append("happened   \(happened.rfc3339())") }
    lines.append("reason     \(reason.printable)")
    for (index, line) in traceback.split(separator: "\n").enumerated() {
      lines.append((index == 0 ? "calls      " : "           ") + String(line).printable)
    }
    let cut = message.count < messageLength ? ", cut from \(messageLength)" : ""
    lines.append("message    \(counted(message.count, "byte"))\(cut)")
    let batch = MessageBatch()
    message.withUnsafeBytes { _ = batch.append($0, time: 0, received: 0) }
    lines.append(
      batch.decode() == 0 ? JSONLayout.lines(batch.bytes(at: 0)) : messageText.printable)
    return lines.joined(separator: "\n") + "\n"
  }
}
