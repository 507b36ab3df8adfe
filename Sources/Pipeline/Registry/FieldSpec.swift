public import Scripting

/// One option of a component: its name, type, unit, default and explanation.
public struct FieldSpec: Sendable {
  /// The name in snake_case, with the unit in it where the value carries none (`max_message_bytes`).
  public var name: String
  /// What the option accepts.
  public var type: FieldType
  /// The unit of a plain number, such as `bytes` or `messages a second`.
  public var unit: String?
  /// The value used when the option is absent, as a configuration would write it.
  public var defaultValue: Value?
  /// Whether a configuration must give the option.
  public var isRequired: Bool
  /// What the option does, as a sentence without a full stop.
  public var help: String
  /// A value as a configuration would write it.
  public var example: Value?

  /// Declares an option.
  public init(
    _ name: String, _ type: FieldType, unit: String? = nil, default defaultValue: Value? = nil,
    required isRequired: Bool = false, help: String, example: Value? = nil
  ) {
    self.name = name
    self.type = type
    self.unit = unit
    self.defaultValue = defaultValue
    self.isRequired = isRequired
    self.help = help
    self.example = example
  }
}
