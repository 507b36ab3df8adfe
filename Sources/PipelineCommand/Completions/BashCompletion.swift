/// Completion for bash.
enum BashCompletion {
  static func script(for commands: [Command]) -> String {
    """
    # Completion of pipeline for bash: source <(pipeline completions bash)
    _pipeline() {
      local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options='' words=''
      COMPREPLY=()
      if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W '\(commands.filter { $0.words.count == 1 }.map(\.name).joined(separator: " "))' -- "$current")
        return
      fi
      local command=${COMP_WORDS[1]}
      case "$command ${COMP_WORDS[2]}" in
      \(Self.pattern(commands))
        if ((COMP_CWORD > 2)); then command="$command ${COMP_WORDS[2]}"; fi ;;
      esac
      case $command in
    \(commands.map { branch($0, among: commands) }.joined(separator: "\n"))
      esac
      if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
      elif [[ $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
      fi
    }
    complete -o filenames -F _pipeline pipeline

    """
  }

  /// The pattern of the commands of two words.
  private static func pattern(_ commands: [Command]) -> String {
    commands.filter { $0.words.count == 2 }.map { "'\($0.name)'" }.joined(separator: "|") + ")"
  }

  private static func branch(_ command: Command, among commands: [Command]) -> String {
    var lines = ["    \(Shell.quoted(command.name)))"]
    let seconds = command.secondWords(among: commands)
    if !seconds.isEmpty {
      lines += [
        "      if ((COMP_CWORD == 2)) && [[ $current != -* ]]; then",
        "        mapfile -t COMPREPLY < <(compgen -W '\(seconds.joined(separator: " "))' -f -- \"$current\")",
        "        return",
        "      fi",
      ]
    }
    lines.append("      options='\(command.completedOptions.map { "--\($0.name)" }.joined(separator: " "))'")
    if !command.operandWords.isEmpty {
      lines.append("      words='\(command.operandWords.joined(separator: " "))'")
    }
    let values = command.options.compactMap(value)
    if !values.isEmpty { lines += ["      case $previous in"] + values + ["      esac"] }
    return (lines + ["      ;;"]).joined(separator: "\n")
  }

  /// What stands behind an option; it is the value even where it begins with a dash.
  private static func value(of option: OptionDeclaration) -> String? {
    switch option.value {
    case .none: nil
    case .words(let words): "        --\(option.name)) options='' words='\(words.joined(separator: " "))' ;;"
    case .file: "        --\(option.name)) words='' ;;"
    case .free: "        --\(option.name)) return ;;"
    }
  }
}
