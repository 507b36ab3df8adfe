/// Completion for zsh.
enum ZshCompletion {
  static func script(for commands: [Command]) -> String {
    """
    #compdef pipeline
    # Completion of pipeline for zsh: source <(pipeline completions zsh), or a file _pipeline in $fpath.
    _pipeline() {
      local -a commands
      commands=(
    \(commands.map { "    " + Shell.quoted("\($0.name):\($0.summary)") }.joined(separator: "\n"))
      )
      if ((CURRENT == 2)); then
        _describe command commands
        return
      fi
      shift words
      ((CURRENT--))
      case $words[1] in
    \(commands.map(branch).joined(separator: "\n"))
      esac
    }
    if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _pipeline "$@"; else compdef _pipeline pipeline; fi

    """
  }

  private static func branch(_ command: Command) -> String {
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
    return "    \(command.name))\n      _arguments \(arguments.joined(separator: " \\\n        "))\n      ;;"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:")
  }
}
