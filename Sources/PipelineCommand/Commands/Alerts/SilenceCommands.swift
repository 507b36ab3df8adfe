import Pipeline
import Scripting

extension Command {
  /// `alerts silence`: keeps a rule quiet for a time.
  static let silence = Command(
    name: "alerts silence", summary: "Keeps a rule from telling anybody for a time",
    operands: [Operand(name: "CONFIG"), Operand(name: "RULE")],
    options: [
      OptionDeclaration("key", .text(placeholder: "KEY"), "silences only this key of the rule"),
      OptionDeclaration("for", .duration, "how long, such as 2h"),
    ],
    details: [
      "RULE is the name of a rule, or one given to alert.send. A host that runs follows at once: nothing leaves that is "
        + "stored after the silence. The rule goes on, and its alerts are kept in the history as silenced.",
      "The end of an episode is told to those whom its beginning was told, silence or not. An episode that begins under "
        + "a silence and goes on at the silence's end is told then; one that ends before is not told at all.",
    ],
    examples: [
      "pipeline alerts silence config.lua 'over level' --for 2h",
      "pipeline alerts silence config.lua stale --key BTCUSDT --for 30m",
    ]
  ) { arguments, console in
    onStorage(arguments, console) { stored in
      guard let duration = arguments.duration("for") else {
        throw UsageError("'alerts silence' needs --for DURATION, such as --for 2h")
      }
      let rule = arguments.operands[1]
      let now = Timestamp.systemClock()
      let known = try stored.reader.alertNames()
      let desk = try StorageDesk(stored.reader)
      let silence = Silence(
        number: try desk.silence(rule: rule, key: arguments.text("key"), from: now, to: now + duration),
        rule: rule, key: arguments.text("key"), begins: now, ends: now + duration)
      if !known.contains(rule) {
        console.note(
          "no alert '\(UsageError.shown(rule))' is known yet; \(Suggestion.hint(for: rule, among: known.sorted()))"
        )
      }
      return console.print("\(silence.line)\n") ?? .success
    }
  }

  /// `alerts silences`: lists the rules that are silenced.
  static let silences = Command(
    name: "alerts silences", summary: "Lists the rules that are silenced now",
    operands: [Operand(name: "CONFIG")],
    options: [.listFormat], examples: ["pipeline alerts silences config.lua"]
  ) { arguments, console in
    onStorage(arguments, console) { stored in
      let active = try stored.reader.silences().filter { $0.isActive(at: .systemClock()) }
      let isJSON = arguments.writesJSON(to: console.output)
      if active.isEmpty, !isJSON { return console.print("nothing is silenced\n") ?? .success }
      return console.print(active.map { (isJSON ? $0.json : $0.line) + "\n" }.joined()) ?? .success
    }
  }

  /// `alerts lift`: ends silences.
  static let lift = Command(
    name: "alerts lift", summary: "Ends a silence, or all of them",
    operands: [Operand(name: "CONFIG"), Operand(name: "NUMBER", isOptional: true)],
    options: [OptionDeclaration("all", .flag, "ends all silences")],
    details: ["'pipeline alerts silences' tells the numbers. Episodes that go on are told now."],
    examples: ["pipeline alerts lift config.lua 3", "pipeline alerts lift config.lua --all"]
  ) { arguments, console in
    onStorage(arguments, console) { stored in
      let operand = arguments.operands.dropFirst().first
      guard arguments.has("all") != (operand != nil) else {
        throw UsageError("'alerts lift' needs either the NUMBER of a silence or --all")
      }
      let number = operand.flatMap { Int64($0) }
      if let operand, number == nil {
        throw UsageError("expected the number of a silence, got '\(UsageError.shown(operand))'")
      }
      let lifted = try StorageDesk(stored.reader).lift(number, at: .systemClock())
      if lifted.isEmpty, let number {
        console.complain(
          "there is no silence \(number) now; 'pipeline alerts silences' lists those there are")
        return .failure
      }
      let text = lifted.map { "lifted \($0.line)\n" }.joined()
      return console.print(text.isEmpty ? "nothing was silenced\n" : text) ?? .success
    }
  }
}

extension Silence {
  /// The silence in one line.
  var line: String {
    let key = key.map { " [\($0.printable)]" } ?? ""
    return "\(number)  \(rule.printable)\(key) until \(ends.rfc3339(fraction: false))"
  }

  fileprivate var json: String {
    var object: [String: Value] = [
      "number": .integer(number), "rule": .text(rule), "begins": .text(begins.rfc3339()),
      "ends": .text(ends.rfc3339()),
    ]
    if let key { object["key"] = .text(key) }
    return Value.map(object).json
  }
}
