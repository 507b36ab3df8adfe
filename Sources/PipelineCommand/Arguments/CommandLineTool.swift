import Pipeline

/// The program's commands.
struct CommandLineTool: Sendable {
  var commands: [Command]

  /// Runs what the arguments, without the program's own name, ask for.
  func run(_ words: [String], _ console: Console) async -> ExitCode {
    guard let name = words.first else {
      console.note(overview)
      return .wrongUsage
    }
    switch name {
    case "--help", "-h": return console.print(overview) ?? .success
    case "--version": return await run(["version"], console)
    default: break
    }
    // A command of two words hides an operand of its second one, which can be written otherwise: ./silence.
    let two = words.prefix(2).joined(separator: " ")
    guard
      let command = commands.first(where: { $0.name == two }) ?? commands.first(where: { $0.name == name })
    else {
      let names = commands.filter { $0.words.count == 1 }.map(\.name)
      let hint = Suggestion.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
      let known = "commands are \(names.joined(separator: ", "))"
      let noun = name.hasPrefix("-") ? "option" : "command"
      console.complain("unknown \(noun) '\(UsageError.shown(name))'; \(hint ?? known)")
      return .wrongUsage
    }
    let arguments: Arguments
    do throws(UsageError) {
      arguments = try Arguments(Array(words.dropFirst(command.words.count)), for: command)
    } catch {
      console.complain("\(error)")
      return .wrongUsage
    }
    if arguments.wantsHelp { return console.print(command.help) ?? .success }
    return await command.run(arguments, console)
  }

  /// The list of commands.
  var overview: String {
    var help = HelpPage()
    help.usage(["pipeline", "COMMAND", "[arguments…]"])
    help.paragraph("Connects to live feeds and hands each message to Lua scripts, which raise alerts.")
    help.heading("Commands")
    help.columns(commands.map { ($0.name, $0.summary) })
    help.paragraph(
      "'pipeline help COMMAND' tells more about a command, 'pipeline help topics' what else there is.")
    return help.text
  }
}
