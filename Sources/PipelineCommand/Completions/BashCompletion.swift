/// Completion for bash.
enum BashCompletion {
  static func script(for commands: [Command]) -> String {
    """
    # Completion of pipeline for bash: source <(pipeline completions bash)
    _pipeline() {
      local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options='' words=''
      COMPREPLY=()
      if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W '\(commands.map(\.name).joined(separator: " "))' -- "$current")
        return
      fi
      case ${COMP_WORDS[1]} in
    \(commands.map(branch).joined(separator: "\n"))
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

  private static func branch(_ command: Command) -> String {
    var lines = ["    \(command.name))"]
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
