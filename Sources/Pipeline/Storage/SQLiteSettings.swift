import Scripting

/// The settings of `storage.sqlite`.
package struct SQLiteSettings: ComponentSettings {
  /// The path the file is opened by.
  package var file: String

  package init(fields: FieldReader) { file = fields.text("file") }

  package static let spec = ComponentSpec(
    kind: .storage, name: "sqlite", summary: "Keeps states, rules, timers and unsent alerts in one file",
    fields: [
      FieldSpec(
        "file", .file(mustExist: false), required: true,
        help: "The file, from the folder of the configuration",
        example: "pipeline.db")
    ],
    example: "storage = storage.sqlite { file = \"pipeline.db\" }")
}
