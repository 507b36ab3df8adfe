/// One command: its help, its arguments and what it does are declared in one place.
struct Command: Sendable {
  /// What stands at one place or, repeated, at the end of the operands.
  struct Operand: Sendable {
    var name: String
    var isOptional = false
    var repeats = false
    /// The words it can be, for completion; none where it is a file or a name.
    var words: @Sendable () -> [String] = { [] }

    /// The operand as a usage line shows it.
    var usage: String {
      let name = repeats ? "\(name)…" : name
      return isOptional ? "[\(name)]" : name
    }
  }

  var name: String
  /// One line for the list of commands.
  var summary: String
  var operands: [Operand] = []
  var options: [OptionDeclaration] = []
  /// What else there is to know, one paragraph each.
  var details: [String] = []
  var examples: [String] = []
  /// Does it.
  var run: @Sendable (Arguments, Console) async -> ExitCode

  /// The words of the name: one, or two where the first is another command.
  var words: [String] { name.split(separator: " ").map(String.init) }

  /// Checks the number of operands.
  func check(_ given: [String]) throws(UsageError) {
    let required = operands.filter { !$0.isOptional }
    if given.count < required.count {
      throw UsageError("'\(name)' needs \(required[given.count].name); usage: \(usage)")
    }
    guard operands.last?.repeats != true, given.count > operands.count else { return }
    throw UsageError("unexpected '\(UsageError.shown(given[operands.count]))'; usage: \(usage)")
  }

  /// The usage line.
  var usage: String {
    (["pipeline", name] + operands.map(\.usage) + options.map { "[\($0.usage)]" }).joined(separator: " ")
  }

  /// The help of the command, at most 80 characters wide.
  var help: String {
    var help = HelpPage()
    help.usage(["pipeline", name] + operands.map(\.usage) + options.map { "[\($0.usage)]" })
    help.paragraph(summary + ".")
    for detail in details { help.paragraph(detail) }
    if !options.isEmpty {
      help.heading("Options")
      help.columns(options.map { ($0.usage, $0.help) })
    }
    if !examples.isEmpty {
      help.heading("Examples")
      for example in examples { help.line(example) }
    }
    return help.text
  }
}
