import Scripting

/// The settings of `source.file`, which reads one JSON message from each line of a file and then ends.
package struct FileSettings: ComponentSettings, Hashable {
  /// The path the file is opened by.
  package var path: String
  /// The most bytes of one line.
  package var maximumMessageBytes: Int

  /// Makes the settings of a file.
  package init(path: String, maximumMessageBytes: Int = 4_194_304) {
    self.path = path
    self.maximumMessageBytes = maximumMessageBytes
  }

  /// Takes the settings from checked options.
  package init(fields: FieldReader) {
    self.init(path: fields.text("path"), maximumMessageBytes: Int(fields.integer("max_message_bytes")))
  }

  /// The declaration of `source.file`.
  package static let spec = ComponentSpec(
    kind: .source, name: "file", summary: "Reads a message from each line of a file, and then ends",
    fields: [
      FieldSpec(
        "path", .file(mustExist: true), required: true,
        help: "The file, from the folder of the configuration",
        example: "prices.ndjson"),
      WebSocketSettings.maximumMessageBytes(of: "line"),
    ] + MessageOptions.fields,
    example: "btc = source.file { path = \"prices.ndjson\" }", check: MessageOptions.faults)
}
