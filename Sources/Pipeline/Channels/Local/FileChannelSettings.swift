internal import Scripting

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

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
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
      DeliveryPolicy.fallbackField,
    ],
    example: "log = channel.file { path = \"alerts.ndjson\" }", abilities: [.publishes])
}
