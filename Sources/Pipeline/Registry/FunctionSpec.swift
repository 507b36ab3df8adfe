/// The one declaration of a function that scripts, configurations or tests can call.
///
/// Registering it, the reference of the script API, and the types for editors come from it.
public struct FunctionSpec: Sendable {
  /// When a function may be called.
  public enum Phase: Sendable {
    /// While the file loads.
    case loading
    /// In handlers.
    case handling
    case always
  }

  /// What a call gives back.
  public struct Result: Sendable {
    /// Its type.
    public var type: ScriptType
    /// Whether it may be nil.
    public var isOptional: Bool
    /// What it is, such as `the statistic, or nil while warming up`.
    public var help: String

    /// Declares a result.
    public init(_ type: ScriptType, optional isOptional: Bool = false, _ help: String) {
      self.type = type
      self.isOptional = isOptional
      self.help = help
    }
  }

  /// The path it is called by, such as `effect.after`, `rule:check` or `t.receive`.
  public var name: String
  /// What it takes, in order.
  public var parameters: [ParameterSpec]
  /// What it returns; nil for nothing.
  public var returns: Result?
  /// What it does, as a sentence without a full stop.
  public var summary: String
  /// A use, as Lua text.
  public var example: String
  /// The files that can call it.
  public var files: Set<LuaFileKind>
  /// When it may be called.
  public var phase: Phase
  /// Whether a call counts against the limit of effects.
  public var isEffect: Bool

  /// Declares a function.
  public init(
    _ name: String, parameters: [ParameterSpec] = [], returns: Result? = nil, summary: String,
    example: String, files: Set<LuaFileKind> = [.script], phase: Phase = .always, isEffect: Bool = false
  ) {
    self.name = name
    self.parameters = parameters
    self.returns = returns
    self.summary = summary
    self.example = example
    self.files = files
    self.phase = phase
    self.isEffect = isEffect
  }

  /// The call with the names of its parameters: `effect.after(duration, action[, payload])`, and braces
  /// for a function that takes one table of options.
  public var signature: String {
    if parameters.count == 1, !parameters[0].type.members.isEmpty { return "\(name) { … }" }
    var text = ""
    for (index, parameter) in parameters.enumerated() {
      let shown = parameter.repeats ? "\(parameter.name)…" : parameter.name
      if !parameter.isOptional {
        text += (text.isEmpty || text.hasSuffix(", ]") ? "" : ", ") + shown
      } else if text.isEmpty, parameters[index...].contains(where: { !$0.isOptional }) {
        text += "[\(shown), ]"
      } else {
        text += text.isEmpty ? "[\(shown)]" : "[, \(shown)]"
      }
    }
    return "\(name)(\(text))"
  }

  /// The names of the options in the tables that it takes.
  package var optionNames: Set<String> { Set(parameters.flatMap { $0.type.members.map(\.name) }) }
}

/// What a Lua file is for, and with it what the file can call.
public enum LuaFileKind: String, Sendable, CaseIterable {
  /// A script: a table of handlers.
  case script
  /// A configuration: plain data.
  case configuration
  /// The tests of scripts.
  case test
}

extension Set<LuaFileKind> {
  /// Every kind of file.
  public static let all = Set(LuaFileKind.allCases)
}
