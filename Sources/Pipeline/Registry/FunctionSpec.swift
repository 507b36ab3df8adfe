/// The one declaration of a function that scripts can call; the reference of the script API comes from it.
public struct FunctionSpec: Sendable {
  /// The path scripts call it by, such as `effect.after` or `rule:check`.
  public var name: String
  /// What it takes, in order.
  public var parameters: [ParameterSpec]
  /// What it returns, such as `the statistic, or nil while warming up`; nil for nothing.
  public var returns: String?
  /// What it does, as a sentence without a full stop.
  public var summary: String
  /// A use, as Lua text.
  public var example: String

  /// Declares a function.
  public init(
    _ name: String, parameters: [ParameterSpec] = [], returns: String? = nil, summary: String,
    example: String
  ) {
    self.name = name
    self.parameters = parameters
    self.returns = returns
    self.summary = summary
    self.example = example
  }

  /// The call with the names of its parameters: `effect.after(duration, action [, payload])`, and braces
  /// for a function that takes one table of options.
  public var signature: String {
    if parameters.count == 1, case .field(.group) = parameters[0].type { return "\(name) { … }" }
    var text = ""
    for parameter in parameters {
      let separator = text.isEmpty ? "" : ", "
      text += parameter.isOptional ? "[\(separator)\(parameter.name)]" : separator + parameter.name
    }
    return "\(name)(\(text))"
  }
}

/// One parameter of a script function.
public struct ParameterSpec: Sendable {
  /// What a script function accepts.
  public enum Kind: Sendable {
    /// The same types that options of a configuration have.
    case field(FieldType)
    /// Any value that can be state.
    case anything
    /// A function of the script, with the names of its parameters.
    case function([String])
    /// Something that another function gave, such as `a rule` or `a statistic`.
    case handle(String)
  }

  /// The name that help shows.
  public var name: String
  /// What it accepts.
  public var type: Kind
  /// Whether a call may leave it out.
  public var isOptional: Bool
  /// What it means, as a sentence without a full stop.
  public var help: String

  /// Declares a parameter.
  public init(_ name: String, _ type: Kind, optional isOptional: Bool = false, help: String) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.help = help
  }

  /// A parameter with the options of one table.
  public static func options(_ name: String = "options", fields: [FieldSpec], help: String) -> Self {
    Self(name, .field(.group(fields)), help: help)
  }

  /// The name of the type that help texts use.
  var label: String {
    switch type {
    case .field(let type): type.label
    case .anything: "any value"
    case .function(let names): "function(\(names.joined(separator: ", ")))"
    case .handle(let noun): noun
    }
  }
}
