/// The settings of `source.stdin`, which reads one JSON message from each line of the standard input.
package struct StdinSettings: ComponentSettings, Hashable {
  /// The most bytes of one line.
  package var maximumMessageBytes: Int

  /// Makes the settings of the standard input.
  package init(maximumMessageBytes: Int = 4_194_304) { self.maximumMessageBytes = maximumMessageBytes }

  /// Takes the settings from checked options.
  package init(fields: FieldReader) {
    self.init(maximumMessageBytes: Int(fields.integer("max_message_bytes")))
  }

  /// The declaration of `source.stdin`.
  package static let spec = ComponentSpec(
    kind: .source, name: "stdin",
    summary: "Reads a message from each line of the standard input, until it ends",
    fields: [WebSocketSettings.maximumMessageBytes(of: "line")] + MessageOptions.fields,
    example: "feed = source.stdin {}", check: MessageOptions.faults)
}
