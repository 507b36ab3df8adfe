/// Completion for fish.
enum FishCompletion {
  static func script(for commands: [Command]) -> String {
    var lines = [
      "# Completion of pipeline for fish: pipeline completions fish | source",
      "complete -c pipeline -f",
    ]
    for command in commands where command.words.count == 1 {
      lines.append(
        "complete -c pipeline -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
    }
    for command in commands where command.words.count == 2 {
      lines.append(
        "complete -c pipeline -n '__fish_seen_subcommand_from \(command.words[0])' -a \(command.words[1]) "
          + "-d \(quoted(command.summary))")
    }
    for command in commands {
      let seen = command.words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
      let start = "complete -c pipeline -n '\(seen)'"
      for option in command.completedOptions {
        let value =
          switch option.value {
          case .none: ""
          case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
          case .file: " -r -F"
          case .free: " -x"
          }
        lines.append("\(start) -l \(option.name)\(value) -d \(quoted(option.help))")
      }
      guard !command.operands.isEmpty else { continue }
      let words = command.operandWords
      lines.append(words.isEmpty ? "\(start) -F" : "\(start) -a \(quoted(words.joined(separator: " ")))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
