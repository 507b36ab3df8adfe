/// Completion for zsh.
enum ZshCompletion {
  static func script(for commands: [Command]) -> String {
    """
    #compdef pipeline
    # Completion of pipeline for zsh: source <(pipeline completions zsh), or a file _pipeline in $fpath.
    _pipeline() {
      local -a commands
      commands=(
    \(commands.filter { $0.words.count == 1 }.map { "    " + Shell.quoted("\($0.name):\($0.summary)") }.joined(separator: "\n"))
      )
      if ((CURRENT == 2)); then
        _describe command commands
        return
      fi
      shift words
      ((CURRENT--))
      case $words[1] in
    \(commands.filter { $0.words.count == 1 }.map { branch($0, among: commands) }.joined(separator: "\n"))
      esac
    }
    if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _pipeline "$@"; else compdef _pipeline pipeline; fi

    """
  }

  /// The branch of a command; one with commands of two words has a branch for each of these within.
  private static func branch(_ command: Command, among commands: [Command]) -> String {
    let seconds = commands.filter { $0.words.count == 2 && $0.words[0] == command.name }
    guard !seconds.isEmpty else { return branch(command.name, command) }
    let inner = seconds.map { branch($0.words[1], $0) } + [branch("*", command)]
    return """
          \(command.name))
            if ((CURRENT == 2)); then compadd \(seconds.map { $0.words[1] }.joined(separator: " ")); fi
            case $words[2] in
              \(seconds.map { $0.words[1] }.joined(separator: "|"))) if ((CURRENT > 2)); then shift words; ((CURRENT--)); fi ;;
            esac
            case $words[1] in
      \(inner.joined(separator: "\n"))
            esac
            ;;
      """
  }

  private static func branch(_ pattern: String, _ command: Command) -> String {
    var arguments = command.completedOptions.map { option in
      let value =
        switch option.value {
        case .none: ""
        case .words(let words): ":value:(\(words.joined(separator: " ")))"
        case .file: ":file:_files"
        case .free: ":value:"
        }
      return Shell.quoted("--\(option.name)[\(escaped(option.help))]\(value)")
    }
    let words = command.operandWords.joined(separator: " ").replacing(":", with: "\\:")
    if !command.operands.isEmpty {
      arguments.append(Shell.quoted(words.isEmpty ? "*:file:_files" : "*:word:(\(words))"))
    }
    return "    \(pattern))\n      _arguments \(arguments.joined(separator: " \\\n        "))\n      ;;"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:")
  }
}
