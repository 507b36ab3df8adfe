import Scripting

/// What a configured channel is made from.
package protocol ChannelSettings: ComponentSettings {
  /// How its deliveries are made.
  var policy: DeliveryPolicy { get }

  /// Makes the channel.
  ///
  /// - Parameters:
  ///   - name: the name that the configuration gives it.
  ///   - format: how alerts are written on the console, where the command line says so.
  func makeChannel(name: String, format: ConsoleChannel.Format?) throws(ChannelError) -> any Channel
}

/// The settings of `channel.console`.
package struct ConsoleChannelSettings: ChannelSettings {
  /// Nil for text on a terminal and JSON elsewhere.
  package var format: ConsoleChannel.Format?
  package var policy: DeliveryPolicy

  package init(fields: FieldReader) {
    format = fields.optionalText("format").flatMap(ConsoleChannel.Format.init(rawValue:))
    policy = DeliveryPolicy(fallback: fields.optionalText("fallback"))
  }

  package func makeChannel(
    name: String, format: ConsoleChannel.Format?
  ) throws(ChannelError) -> any Channel {
    try ConsoleChannel(name: name, format: format ?? self.format)
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "console",
    summary: "Writes alerts to standard output: clear lines on a terminal, lines of JSON elsewhere",
    fields: [
      FieldSpec("format", .choice(["text", "json"]), help: "How alerts are written wherever they go"),
      fallbackField,
    ],
    example: "screen = channel.console {}", abilities: [.publishes])
}

/// The settings of `channel.file`.
package struct FileChannelSettings: ChannelSettings {
  package var path: String
  package var isSynchronized: Bool
  package var policy: DeliveryPolicy

  package init(fields: FieldReader) {
    path = fields.text("path")
    isSynchronized = fields.boolean("sync")
    policy = DeliveryPolicy(fallback: fields.optionalText("fallback"))
  }

  package func makeChannel(
    name: String, format: ConsoleChannel.Format?
  ) throws(ChannelError) -> any Channel {
    try FileChannel(name: name, path: path, synchronized: isSynchronized)
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "file", summary: "Appends alerts to a file, a line of JSON each",
    fields: [
      FieldSpec(
        "path", .file(mustExist: false), required: true,
        help: "The file, from the folder of the configuration",
        example: "alerts.ndjson"),
      FieldSpec("sync", .boolean, default: false, help: "Whether each line is on the disk before it counts"),
      fallbackField,
    ],
    example: "log = channel.file { path = \"alerts.ndjson\" }", abilities: [.publishes])
}

private let fallbackField = FieldSpec(
  "fallback", .reference(to: .channel), help: "The channel that takes over what this one can't deliver")
