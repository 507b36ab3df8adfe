import FoundationEssentials
import Pipeline
import Scripting

/// A channel: a file that lists what is the matter at the moment, for a login message or a status bar.
actor StatusFile: NativeChannel {
  private let path: String
  private var firing: [String: String] = [:]

  init(fields: FieldReader) { path = fields.text("path") }

  func deliver(_ alert: Alert, id: String) throws {
    let subject = "\(alert.name) \(alert.key)"
    firing[subject] = alert.kind == .resolved ? nil : "\(alert.severity): \(alert.text)\n"
    let lines = firing.sorted { $0.key < $1.key }.map(\.value).joined()
    try lines.write(toFile: path, atomically: true, encoding: .utf8)
  }

  static let spec = ComponentSpec(
    kind: .channel, name: "status", summary: "Keeps a file that lists what is the matter at the moment",
    fields: [
      FieldSpec("path", .file(mustExist: false), required: true, help: "The file", example: "status.txt")
    ],
    example: "status = channel.status { path = \"status.txt\" }")
}
