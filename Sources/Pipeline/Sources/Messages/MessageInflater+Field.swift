import Scripting

extension MessageInflater {
  /// The option that says how messages are compressed, with what it is about.
  static func field(_ help: String) -> FieldSpec {
    FieldSpec(
      "decompress", .choice(Form.allCases.map(\.rawValue)),
      help: help + "; max_message_bytes holds before and after it", example: "auto")
  }

  /// The form that checked options say messages have; nil for none.
  static func form(_ fields: FieldReader) -> Form? { fields.optionalText("decompress").flatMap(Form.init) }

  /// Adds a message as it is unpacked; one that can't be is told, and added as it came, so that it goes to the
  /// quarantine.
  func add(
    _ bytes: UnsafeRawBufferPointer, to output: inout SourceOutput, topic: String = "", replayed: Bool = false
  ) {
    do throws(InflationError) {
      try inflate(bytes) { output.add($0, topic: topic, replayed: replayed) }
    } catch {
      output.refused.append("a message of \(bytes.count) bytes \(error)")
      output.add(bytes, topic: topic, replayed: replayed)
    }
  }
}
