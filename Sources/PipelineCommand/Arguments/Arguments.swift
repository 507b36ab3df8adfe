import Pipeline

/// The arguments of one command, checked against its declaration.
struct Arguments: Sendable, Hashable {
  private(set) var operands: [String] = []
  private(set) var options: [String: ArgumentValue] = [:]
  /// Whether help was asked for; then nothing else is checked.
  private(set) var wantsHelp = false

  /// Reads what stands behind the command's name.
  ///
  /// `--` ends the options; a single `-` is an operand.
  init(_ words: [String], for command: Command) throws(UsageError) {
    if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      wantsHelp = true
      return
    }
    var rest = words[...]
    var takesOptions = true
    while let word = rest.popFirst() {
      if takesOptions, word == "--" {
        takesOptions = false
      } else if takesOptions, word.hasPrefix("-"), word != "-" {
        try option(word, &rest, of: command)
      } else {
        operands.append(word)
      }
    }
    try command.check(operands)
  }

  private mutating func option(
    _ word: String, _ rest: inout ArraySlice<String>, of command: Command
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let known = command.options.map { "--\($0.name)" }
    guard let option = command.options.first(where: { "--\($0.name)" == parts[0] }) else {
      let shown = UsageError.shown(parts[0])
      if let nearest = Suggestion.nearest(to: parts[0], among: known) {
        throw UsageError("'\(command.name)' has no option '\(shown)'; did you mean '\(nearest)'?")
      }
      let list = known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"
      throw UsageError("'\(command.name)' has no option '\(shown)'; \(list)")
    }
    guard options[option.name] == nil else { throw UsageError("--\(option.name) is given twice") }
    if case .flag = option.kind, parts.count == 1 {
      options[option.name] = .flag
    } else if parts.count == 2 {
      options[option.name] = try option.read(parts[1])
    } else if let value = rest.popFirst() {
      options[option.name] = try option.read(value)
    } else {
      throw UsageError("--\(option.name) expects a value, as in \(option.usage)")
    }
  }

  /// Whether a flag was given.
  func has(_ name: String) -> Bool { options[name] != nil }

  /// The text or the choice given for an option.
  func text(_ name: String) -> String? { if case .text(let text) = options[name] { text } else { nil } }

  /// The duration given for an option.
  func duration(_ name: String) -> Milliseconds? {
    if case .duration(let duration) = options[name] { duration } else { nil }
  }

  /// The number given for an option.
  func count(_ name: String) -> Int64? { if case .count(let count) = options[name] { count } else { nil } }
}
