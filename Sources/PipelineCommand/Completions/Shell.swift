/// A shell that can complete the program's commands, options and their values.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script to load into the shell.
  func script(for commands: [Command]) -> String {
    switch self {
    case .bash: BashCompletion.script(for: commands)
    case .zsh: ZshCompletion.script(for: commands)
    case .fish: FishCompletion.script(for: commands)
    }
  }

  /// A text as one word of any of the shells.
  static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}

extension Command {
  /// The options, with the one that every command has.
  var completedOptions: [OptionDeclaration] {
    options + [OptionDeclaration("help", .flag, "tells more about the command")]
  }

  /// The second words of the commands that begin with this one.
  func secondWords(among commands: [Command]) -> [String] {
    commands.filter { $0.words.count == 2 && $0.words[0] == name }.map { $0.words[1] }
  }

  /// The words that its operands can be; empty where they are files or names.
  var operandWords: [String] { operands.flatMap { $0.words() } }
}

extension OptionDeclaration {
  /// What may stand behind the option.
  enum Value {
    case none
    case words([String])
    case file
    /// Something that only the user knows.
    case free
  }

  var value: Value {
    switch kind {
    case .flag: .none
    case .choice(let choices): .words(choices)
    case .text(let placeholder): placeholder == "FILE" || placeholder == "DIR" ? .file : .free
    case .duration, .count: .free
    }
  }
}
