import Scripting

/// What is done about messages that come faster than scripts handle them.
package struct QueueOptions: Sendable, Hashable {
  /// What happens when no more may wait.
  package enum Overflow: String, Sendable, Hashable, CaseIterable {
    /// Nothing more is read, so that the server has to wait.
    case block
    /// The messages that have waited longest give way.
    case dropOldest = "drop_oldest"
    /// Messages give way to a later one of their key.
    case latestPerKey = "latest_per_key"
  }

  /// What happens when no more may wait.
  package var overflow = Overflow.block
  /// How much may wait, each message counting ``WaitingQueue/overhead`` beside its bytes.
  package var maximumBytes = 8_000_000

  /// Makes the options from their parts.
  package init(overflow: Overflow = .block, maximumBytes: Int = 8_000_000) {
    self.overflow = overflow
    self.maximumBytes = maximumBytes
  }

  /// Takes the options from checked fields.
  init(fields: FieldReader) {
    overflow = Overflow(rawValue: fields.text("overflow")) ?? .block
    maximumBytes = Int(fields.integer("queue"))
  }

  /// The options of every source that is read on while scripts are slow.
  static let fields: [FieldSpec] = [
    FieldSpec(
      "queue", .size(65_536...1 << 40), default: "8MB",
      help: "How much may wait while scripts are slow, each message counting 128 bytes beside its own; until "
        + "then the source is read on, and pings are answered"),
    FieldSpec(
      "overflow", .choice(Overflow.allCases.map(\.rawValue)), default: "block",
      help: "What happens when no more may wait. block: nothing is read until there is room, so the server "
        + "waits; its pings are not answered either, and it may give the connection up. drop_oldest: the oldest messages "
        + "give way. latest_per_key: messages give way to a later one of the key that M.key names. What is "
        + "dropped is told as a gap: rules neither fire nor resolve by it",
      example: "latest_per_key"),
  ]

  /// The faults in the options.
  static func faults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    guard fields.text("overflow") == Overflow.latestPerKey.rawValue else { return [] }
    let reason =
      "\"latest_per_key\" needs messages that are one JSON text of one key each, and can't be used with"
    var faults: [ComponentSpec.Fault] = []
    if fields.text("decode") != "json" {
      faults.append(.init("overflow", "\(reason) decode = \"\(fields.text("decode"))\""))
    }
    if fields.optionalText("split") != nil { faults.append(.init("overflow", "\(reason) 'split'")) }
    return faults
  }
}

extension ConfiguredComponent {
  /// How messages of the source wait; nil for one that waits itself, as a file does.
  var queue: QueueOptions? {
    spec.fields.contains { $0.name == "overflow" } ? QueueOptions(fields: fields) : nil
  }
}
