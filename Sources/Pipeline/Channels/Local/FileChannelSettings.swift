internal import Scripting

/// The settings of `channel.file`.
package struct FileChannelSettings: ChannelSettings {
  package var path: String
  package var isSynchronized: Bool
  /// Nil for a file that grows without end.
  package var rotation: FileRotation?
  package var policy: DeliveryPolicy

  package init(fields: FieldReader) {
    path = fields.text("path")
    isSynchronized = fields.boolean("sync")
    let keep = Int(fields.integer("keep"))
    rotation = fields.optionalInteger("rotate_at").map { FileRotation(maximumBytes: Int($0), keep: keep) }
    policy = DeliveryPolicy(fallback: fields.optionalText("fallback"))
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    try FileChannel(name: name, path: path, synchronized: isSynchronized, rotation: rotation)
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "file", summary: "Appends alerts to a file, a line of JSON each",
    fields: [
      FieldSpec(
        "path", .file(mustExist: false), required: true,
        help: "The file, from the folder of the configuration",
        example: "alerts.ndjson"),
      FieldSpec("sync", .boolean, default: false, help: "Whether each line is on the disk before it counts"),
      FieldSpec(
        "rotate_at", .size(1_000...Int64.max),
        help: "The size at which the file becomes path.1, and that path.2; it grows without end if not given",
        example: "10MB"),
      FieldSpec("keep", .integer(1...1_000), default: 5, help: "How many such old files are kept"),
      DeliveryPolicy.fallbackField,
    ],
    example: "log = channel.file { path = \"alerts.ndjson\" }", abilities: [.publishes])
}
