/// The one declaration of a type that functions take or give and that has a name of its own.
public struct TypeSpec: Sendable {
  /// The name, such as `Rule`; editors know it as `pipeline.Rule`.
  public var name: String
  /// The variable that stands for one in names of functions and in examples, such as `rule` in `rule:check`.
  public var variable: String?
  /// What it is, as a sentence without a full stop.
  public var summary: String
  /// What it holds besides functions.
  public var members: [ParameterSpec]
  /// A use, as Lua text.
  public var example: String?

  /// Declares a type.
  public init(
    _ name: String, variable: String? = nil, summary: String, members: [ParameterSpec] = [],
    example: String? = nil
  ) {
    self.name = name
    self.variable = variable
    self.summary = summary
    self.members = members
    self.example = example
  }

  /// The topic of its help: the variable where it has one.
  var topic: String { variable ?? name }
}

/// The one declaration of a global that is no function, such as `json.null`.
public struct ConstantSpec: Sendable {
  /// The path it is read by.
  public var name: String
  /// Its type.
  public var type: ScriptType
  /// What it is, as a sentence without a full stop.
  public var summary: String
  /// A use, as Lua text.
  public var example: String
  /// The files that can read it.
  public var files: Set<LuaFileKind>

  /// Declares a constant.
  public init(
    _ name: String, _ type: ScriptType, summary: String, example: String,
    files: Set<LuaFileKind> = [.script]
  ) {
    self.name = name
    self.type = type
    self.summary = summary
    self.example = example
    self.files = files
  }
}
