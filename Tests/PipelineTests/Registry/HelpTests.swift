import Testing

@testable import Pipeline

@Suite("Help from declarations")
struct HelpTests {
  private static let registry: Registry = {
    var registry = Registry()
    registry.register(DemoSource.spec) { $0 }
    registry.register(
      FunctionSpec(
        "effect.after",
        parameters: [
          ParameterSpec("duration", .duration, help: "How long to wait"),
          ParameterSpec("action", .text, help: "The action to run"),
          ParameterSpec("payload", .anything, optional: true, help: "What the action receives"),
        ],
        summary: "Runs an action of the script later; it replaces the pending one of that action and key",
        example: "effect.after(\"10s\", \"check\", { price = 1 })"))
    registry.register(
      FunctionSpec(
        "alert.rule",
        parameters: [
          .options(fields: [ParameterSpec("name", .text, help: "The name")], help: "The rule")
        ],
        returns: FunctionSpec.Result(.named("Rule"), "a rule"), summary: "Declares a rule",
        example: "alert.rule { name = \"x\" }"))
    return registry
  }()

  @Test("A component's help shows every option with type, default and range")
  func component() throws {
    let help = try Self.registry.help(on: "sources.demo")
    #expect(
      help.hasPrefix(
        """
        source.demo
          Shows an option of every type.

        Options
          url (URL, required)
              Where the feed is.
              Expected: a ws:// or wss:// URL.
              Example: url = "wss://example.org/feed"
          label (text)
              A label.
          count (integer, messages, default 10)
              How many.
              Expected: an integer between 1 and 100.

        """))
    #expect(help.contains("  reconnect.cap (duration, default \"60s\")\n      The longest wait.\n"))
    #expect(help.hasSuffix("\nExample\n  feed = source.demo { url = \"wss://example.org/feed\" }\n"))
    #expect(try Self.registry.help(on: "source.demo") == help)
  }

  @Test("One option has a help of its own")
  func option() throws {
    #expect(
      try Self.registry.help(on: "sources.demo.reconnect.cap")
        == "source.demo\n  reconnect.cap (duration, default \"60s\")\n      The longest wait.\n")
  }

  @Test("The options of scripts and their limits have help too")
  func scripts() throws {
    let help = try Self.registry.help(on: "scripts")
    #expect(
      help.hasPrefix(
        "scripts\n  Scripts by name, each with what feeds it.\n\nOptions\n  file (text)\n"))
    #expect(help.contains("      Example: from = { bars = \"maker.bars\", price = \"btc\" }\n"))
    #expect(help.contains("  limits.steps (integer, instructions, default 5000000)\n"))
    let limits = try Self.registry.help(on: "scripts.limits")
    #expect(limits.contains("  limits.memory (size, default \"16MiB\")\n") && !limits.contains("outputs"))
    let error = #expect(throws: UnknownTopic.self) { try Self.registry.help(on: "scripts.limit") }
    #expect(error?.description == "there is no help on 'scripts.limit'; did you mean 'scripts.limits'?")
  }

  @Test("Sections list their components, and say when there is none")
  func sections() throws {
    #expect(
      try Self.registry.help(on: "sources")
        == "Components for sources\n  source.demo  Shows an option of every type\n")
    #expect(try Self.registry.help(on: "channels") == "Components for channels\n  There is none.\n")
  }

  @Test("Functions are listed with their signatures and shown with their parameters")
  func functions() throws {
    #expect(
      try Self.registry.help(on: "functions")
        == """
        Functions for scripts
          alert.rule { … }          Declares a rule
          effect.after(duration, action[, payload])
                                    Runs an action of the script later; it replaces the
                                    pending one of that action and key

        """)
    #expect(
      try Self.registry.help(on: "alert.rule")
        == """
        alert.rule { … }
          Declares a rule.
          Returns a rule.

        Parameters
          options (table)
              The rule.
          options.name (text, required)
              The name.

        Example
          alert.rule { name = "x" }

        """)
  }

  @Test("An unknown topic comes with the nearest known one")
  func unknownTopics() {
    #expect(throws: UnknownTopic("sources.dmeo", known: ["sources.demo"])) {
      try Self.registry.help(on: "sources.dmeo")
    }
    let error = #expect(throws: UnknownTopic.self) { try Self.registry.help(on: "sources.demo.pnig") }
    #expect(
      error?.description == "there is no help on 'sources.demo.pnig'; did you mean 'sources.demo.ping'?")
  }

  @Test("No line is wider than 80 characters")
  func width() throws {
    for topic in Self.registry.topics {
      for line in try Self.registry.help(on: topic).split(separator: "\n") { #expect(line.count <= 80) }
    }
  }
}
