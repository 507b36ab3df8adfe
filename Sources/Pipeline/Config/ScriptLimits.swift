package import Scripting

/// What one script may use; beyond it a handler is ended, undone, and its message put into quarantine.
public struct ScriptLimits: Sendable, Hashable {
  /// Lua instructions a message may take, the work of library functions charged to them.
  public let steps: Int64
  /// The safety net in wall-clock time for one message.
  public let time: Milliseconds
  /// Bytes alive in the script's virtual machine; committed state is kept outside of it.
  public let memory: Int64
  /// Bytes of state that one key may hold.
  public let stateSize: Int64
  /// Bytes of state that all keys of a script may hold together.
  public let totalStateSize: Int64
  /// Effects one message may ask for.
  public let effects: Int64
  /// Bytes one message may log.
  public let logBytes: Int64
  /// Bytes of payloads one message may hand on with its effects.
  public let effectBytes: Int64
  /// Tables inside one another, in state and effects.
  public let nesting: Int64

  /// Takes the limits from the options of the `limits` table.
  init(fields: FieldReader) {
    steps = fields.integer("steps")
    time = fields.duration("time")
    memory = fields.integer("memory")
    stateSize = fields.integer("state_size")
    totalStateSize = fields.integer("total_state_size")
    effects = fields.integer("effects")
    logBytes = fields.integer("log_bytes")
    effectBytes = fields.integer("effect_bytes")
    nesting = fields.integer("nesting")
  }

  /// The options of the `limits` table with their defaults.
  static let fields: [FieldSpec] = [
    FieldSpec(
      "steps", .integer(1_000...100_000_000_000), unit: "instructions", default: 5_000_000,
      help: "Lua instructions a message may take; the work of library functions counts too"),
    FieldSpec(
      "time", .duration(Milliseconds(1)...Milliseconds.minutes(10)), default: "1s",
      help: "Time a message may take, as a safety net beside the steps"),
    FieldSpec(
      "memory", .size(65_536...1 << 40), default: "16MiB",
      help: "Memory the script's own values may take; committed state is kept outside of it"),
    FieldSpec(
      "state_size", .size(1_024...1 << 40), default: "1MiB", help: "State one key may hold"),
    FieldSpec(
      "total_state_size", .size(1_024...1 << 40), default: "256MiB",
      help: "State all keys of the script may hold together"),
    FieldSpec("effects", .integer(0...1_000_000), default: 1_000, help: "Effects a message may ask for"),
    FieldSpec(
      "log_bytes", .integer(0...1 << 30), unit: "bytes", default: 65_536, help: "Text a message may log"),
    FieldSpec(
      "effect_bytes", .size(1_024...1 << 30), default: "4MiB",
      help: "Payloads that a message may hand on with its effects, written as JSON"),
    FieldSpec(
      "nesting", .integer(1...512), unit: "tables", default: 512,
      help: "Tables inside one another that a state or an effect may have"),
  ]

  /// The limits of a script that sets none.
  public static let standard: ScriptLimits = {
    var validation = FieldValidation()
    let place = Place(file: "the defaults")
    guard let fields = validation.fields(.map([:]), specs: fields, owner: "limits", at: place) else {
      preconditionFailure("the defaults of the limits contradict their ranges: \(validation.findings)")
    }
    return ScriptLimits(fields: fields)
  }()
}

extension ScriptLimits {
  /// The limits as the machine of a script takes them; the log's own is kept by the host.
  package var machine: MachineLimits {
    var limits = MachineLimits()
    limits.steps = UInt64(steps)
    limits.milliseconds = UInt64(time.count)
    limits.memoryBytes = Int(memory)
    limits.stateBytes = Int(stateSize)
    limits.totalStateBytes = Int(totalStateSize)
    limits.effects = UInt32(effects)
    limits.nesting = UInt32(nesting)
    return limits
  }
}
