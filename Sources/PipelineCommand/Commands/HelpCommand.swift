import Pipeline
import ScriptTesting

extension Command {
  /// `help`: commands, components and the functions of scripts.
  static func help(_ registry: Registry, _ others: @escaping @Sendable () -> [Command]) -> Command {
    let name = "help"
    let summary = "Explains commands, components and the functions of scripts"
    let operands = [
      Operand(
        name: "TOPIC", isOptional: true, repeats: true,
        words: { others().flatMap(\.words) + ["topics", "rules"] + registry.withTesting.topics })
    ]
    let examples = [
      "pipeline help replay", "pipeline help source.websocket", "pipeline help effect.after",
      "pipeline help api",
    ]
    return Command(name: name, summary: summary, operands: operands, examples: examples) {
      arguments, console in
      let own = Command(name: name, summary: summary, operands: operands, examples: examples) { _, _ in
        .success
      }
      let tool = CommandLineTool(commands: others() + [own])
      guard !arguments.operands.isEmpty else { return console.print(tool.overview) ?? .success }
      let topic = arguments.operands.joined(separator: " ")
      // A topic and a command of one name would hide each other: commands come first.
      if let command = tool.commands.first(where: { $0.name == topic }) {
        return console.print(command.help) ?? .success
      }
      let registry = registry.withTesting
      switch topic {
      case "topics": return console.print(topicList(registry, tool.commands)) ?? .success
      case "rules": return console.print(ruleHelp) ?? .success
      default: break
      }
      do throws(UnknownTopic) {
        return console.print(try registry.help(on: topic)) ?? .success
      } catch {
        let own = tool.commands.map(\.name) + ["topics", "rules"]
        if let nearest = Suggestion.nearest(to: topic, among: own) {
          console.complain(
            "there is no help on '\(UsageError.shown(topic))'; did you mean '\(nearest)'?")
        } else {
          console.complain("\(error)")
        }
        return .wrongUsage
      }
    }
  }

  private static func topicList(_ registry: Registry, _ commands: [Command]) -> String {
    var page = HelpPage()
    page.heading("Commands")
    page.columns(commands.map { ($0.name, $0.summary) })
    page.heading("Configuration and scripts")
    for topic in registry.topics { page.line(topic) }
    page.line("rules")
    return page.text
  }

  private static var ruleHelp: String {
    var page = HelpPage()
    page.heading("Options of alert.rule")
    page.columns(AlertRule.options.map { option in (option.name, option.explanation) })
    return page.text
  }
}

extension OptionSpec {
  /// The option's line of help without its name.
  fileprivate var explanation: String { String(helpLine.dropFirst(name.count + 2)) }
}
