import Scripting

/// How the messages of a source are read: what one is, its time, its place in order, and what was there before.
package struct MessageOptions: Sendable, Hashable {
  /// What bytes mean.
  package enum Decoding: String, Sendable, Hashable, CaseIterable {
    /// One JSON text.
    case json
    /// One JSON text a line, several of them in one message.
    case jsonLines = "json_lines"
    /// Text as it is.
    case text
  }

  /// How one message becomes many.
  package enum Split: String, Sendable, Hashable, CaseIterable {
    /// Each item of a list.
    case items
    /// Each member of a map, as its `key` and `value`.
    case pairs
  }

  /// What a field counts that holds a time.
  package enum TimeUnit: String, Sendable, Hashable, CaseIterable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"
    /// A date and time in words, such as `2026-12-31T18:30:00Z`.
    case text
  }

  /// The fields that number messages.
  package struct Sequence: Sendable, Hashable {
    var first: FieldPath?
    var last: FieldPath
    var previous: FieldPath?
    /// What tells streams of numbers apart; nil where there is one.
    var key: FieldPath?
    var isPerConnection: Bool
  }

  var decoding = Decoding.json
  var split: Split?
  var splitField: FieldPath
  var numbers: [FieldPath]
  var time: (field: FieldPath, unit: TimeUnit)? { timeField.map { ($0, timeUnit) } }
  private var timeField: FieldPath?
  private var timeUnit = TimeUnit.milliseconds
  var sequence: Sequence?
  var id: FieldPath?
  /// What has ids of its own; nil where an id stands for one message alone.
  var idKey: FieldPath?
  var idWindow: Int
  /// Whether messages that were there before are marked as replayed, instead of skipped.
  var marksRepeated: Bool

  /// Takes the options from checked fields.
  init(fields: FieldReader) {
    decoding = Decoding(rawValue: fields.text("decode")) ?? .json
    split = fields.optionalText("split").flatMap(Split.init)
    splitField = FieldPath(fields.optionalText("split_field") ?? "")
    numbers = fields.texts("numbers").map { FieldPath($0) }
    if let time = fields.optionalGroup("time") {
      timeField = FieldPath(time.text("field"))
      timeUnit = TimeUnit(rawValue: time.text("unit")) ?? .milliseconds
    }
    sequence = fields.optionalGroup("sequence").map { sequence in
      Sequence(
        first: sequence.path("first"), last: FieldPath(sequence.text("last")),
        previous: sequence.path("previous"), key: sequence.path("key"),
        isPerConnection: sequence.boolean("per_connection"))
    }
    id = fields.path("id")
    idKey = fields.path("id_key")
    idWindow = Int(fields.integer("id_window"))
    marksRepeated = fields.text("repeated") == "mark"
  }

  /// Whether messages pass as they come.
  package var isPlain: Bool {
    decoding == .json && split == nil && numbers.isEmpty && timeField == nil && sequence == nil && id == nil
  }
}

extension FieldReader {
  fileprivate func path(_ name: String) -> FieldPath? { optionalText(name).map { FieldPath($0) } }
}

extension ConfiguredComponent {
  /// How the messages of the source are read; nil where they pass as they come.
  var messageOptions: MessageOptions? {
    guard spec.fields.contains(where: { $0.name == "decode" }) else { return nil }
    let options = MessageOptions(fields: fields)
    return options.isPlain ? nil : options
  }

  /// A message as scripts got it, with its texts made numbers where the source's options say so.
  package func converted(_ message: [UInt8]) -> [UInt8] {
    guard let numbers = messageOptions?.numbers, !numbers.isEmpty else { return message }
    let batch = MessageBatch()
    _ = message.withUnsafeBytes { batch.append($0, time: 0, received: 0) }
    guard batch.decode() == 0 else { return message }
    for path in numbers { batch.makeNumbers(of: path, at: 0) }
    return Array(batch.value(at: 0).json.utf8)
  }

  /// What reads the messages of the source; nil where they pass as they come.
  func makeIntake() -> MessageIntake? { messageOptions.map { MessageIntake($0) } }
}
