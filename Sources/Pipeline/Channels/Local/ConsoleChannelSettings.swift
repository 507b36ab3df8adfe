/// The settings of `channel.console`.
package struct ConsoleChannelSettings: ChannelSettings {
  /// Nil for text on a terminal and JSON elsewhere.
  package var format: ConsoleChannel.Format?
  package var policy: DeliveryPolicy

  package init(fields: FieldReader) {
    format = fields.optionalText("format").flatMap(ConsoleChannel.Format.init(rawValue:))
    policy = DeliveryPolicy(fallback: fields.optionalText("fallback"))
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    try ConsoleChannel(name: name, format: context.format ?? format)
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "console",
    summary: "Writes alerts to standard output: clear lines on a terminal, lines of JSON elsewhere",
    fields: [
      FieldSpec("format", .choice(["text", "json"]), help: "How alerts are written wherever they go"),
      DeliveryPolicy.fallbackField,
    ],
    example: "screen = channel.console {}", abilities: [.publishes])
}
