import Pipeline

extension Command {
  /// `completions`: teaches a shell the program's commands.
  static func completions(_ commands: @escaping @Sendable () -> [Command]) -> Command {
    let shells = Shell.allCases.map(\.rawValue)
    return Command(
      name: "completions", summary: "Prints what completes commands and options in a shell",
      operands: [Operand(name: "SHELL", words: { shells })],
      details: ["SHELL is \(shells.dropLast().joined(separator: ", ")) or \(shells[shells.count - 1])."],
      examples: ["source <(pipeline completions bash)", "pipeline completions fish | source"]
    ) { arguments, console in
      let name = arguments.operands[0]
      guard let shell = Shell(rawValue: name) else {
        console.complain(
          "unknown shell '\(UsageError.shown(name))'; \(Suggestion.hint(for: name, among: shells))")
        return .wrongUsage
      }
      return console.print(shell.script(for: commands())) ?? .success
    }
  }
}
