/// The type of a value that scripts hand to a function, get from one, or find in a table.
public indirect enum ScriptType: Sendable {
  /// Any plain value.
  case anything
  case boolean
  case integer
  case number
  case text
  /// A text with a span of time, such as `"10m"`.
  case duration
  /// One of a few texts.
  case choice([String])
  case list(of: ScriptType)
  /// A table from names to values of one type.
  case map(of: ScriptType)
  /// A table whose members are known.
  case table([ParameterSpec])
  case function([ParameterSpec], returns: [ScriptType])
  /// A type with a declaration of its own, by the name of its ``TypeSpec``.
  case named(String)
  case either([ScriptType])
  /// The type of what was given for a parameter.
  case same(as: String)

  /// The name that help texts use.
  var label: String {
    switch self {
    case .anything: "any value"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .text: "text"
    case .duration: "duration"
    case .choice(let choices): alternatives(choices.map { "\"\($0)\"" })
    case .list(let element): "list of \(element.plural)"
    case .map(let element): "table of \(element.plural)"
    case .table: "table"
    case .function(let parameters, _): "function(\(parameters.map(\.name).joined(separator: ", ")))"
    case .named(let name): name
    case .either(let types): alternatives(types.map(\.label))
    case .same(let name): "as \(name)"
    }
  }

  private var plural: String {
    switch self {
    case .anything: "any values"
    case .list(let element): "lists of \(element.plural)"
    case .map(let element): "tables of \(element.plural)"
    case .choice, .either, .same: "\(label)"
    case .function: "functions"
    default: "\(label)s"
    }
  }

  /// The members of a table that are known.
  package var members: [ParameterSpec] { if case .table(let members) = self { members } else { [] } }
}

extension ScriptType {
  /// The type that scripts and configurations know an option's type as.
  init(_ type: FieldType) {
    switch type {
    case .text, .file, .reference, .size: self = .text
    case .url, .secretText: self = .either([.text, .named(TypeSpec.environmentReference.name)])
    case .integer: self = .integer
    case .number: self = .number
    case .boolean: self = .boolean
    case .duration: self = .duration
    case .list(let element): self = .list(of: Self(element))
    case .map(let element): self = .map(of: Self(element))
    case .group(let fields): self = .table(fields.map(ParameterSpec.init))
    case .choice(let choices): self = .choice(choices)
    case .message, .value: self = .anything
    case .headers:
      let context = ParameterSpec("ctx", .anything, help: "source, connection and time")
      let fields = Self(FieldType.map(of: .secretText))
      self = .either([fields, .function([context], returns: [fields])])
    case .function:
      self = .function([ParameterSpec("alert", .anything, help: "What it is about")], returns: [.anything])
    }
  }

  /// The type that scripts know an option of a rule, an alert or a route as.
  init(_ kind: OptionSpec.Kind) {
    switch kind {
    case .number: self = .number
    case .range: self = .list(of: .number)
    case .count: self = .integer
    case .duration: self = .duration
    case .date, .text: self = .text
    case .boolean: self = .boolean
    case .choice(let choices): self = .choice(choices)
    case .texts: self = .list(of: .text)
    case .labels: self = .map(of: .text)
    case .options(let options): self = .table(options.map(ParameterSpec.init))
    case .function: self = .function(Self.judged, returns: [.boolean])
    case .textOrFunction: self = .either([.text, .function(Self.judged, returns: [.text])])
    }
  }

  /// What the functions of a rule are given.
  private static let judged = [
    ParameterSpec("value", .number, help: "The value in hand"),
    ParameterSpec("data", .anything, optional: true, help: "What was given to check besides"),
  ]
}
