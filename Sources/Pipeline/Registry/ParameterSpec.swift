/// One parameter of a script function, or one member of a table that scripts know.
public struct ParameterSpec: Sendable {
  /// The name that help shows.
  public var name: String
  /// What it accepts.
  public var type: ScriptType
  /// Whether it may be left out.
  public var isOptional: Bool
  /// Whether any number of values may be given.
  public var repeats: Bool
  /// The unit of a plain number, such as `bytes`.
  public var unit: String?
  /// What holds where it is left out, as it would be written or in words.
  public var fallback: String?
  /// What it means, as a sentence without a full stop.
  public var help: String

  /// Declares a parameter or a member.
  public init(
    _ name: String, _ type: ScriptType, optional isOptional: Bool = false, repeats: Bool = false,
    unit: String? = nil, default fallback: String? = nil, help: String
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.repeats = repeats
    self.unit = unit
    self.fallback = fallback
    self.help = help
  }

  /// A parameter with the options of one table.
  public static func options(
    _ name: String = "options", optional isOptional: Bool = false, fields: [ParameterSpec], help: String
  ) -> Self {
    Self(name, .table(fields), optional: isOptional, help: help)
  }
}

extension ParameterSpec {
  /// An option of a component as a member of the table that the component takes.
  init(_ field: FieldSpec) {
    let fallback = field.defaultValue.map(LuaText.write).flatMap { $0 == "{}" ? nil : $0 }
    self.init(
      field.name, ScriptType(field.type), optional: !field.isRequired, unit: field.unit, default: fallback,
      help: field.help)
  }

  /// An option of a rule, an alert or a route as a member of its table.
  init(_ option: OptionSpec) {
    self.init(
      option.name, ScriptType(option.kind), optional: !option.isRequired, unit: option.unit,
      default: option.fallback,
      help: option.help.hasSuffix(".") ? String(option.help.dropLast()) : option.help)
  }
}
