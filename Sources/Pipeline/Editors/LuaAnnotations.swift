/// The declarations of a registry as annotations of the Lua language server.
struct LuaAnnotations {
  static let mark = "---@meta pipeline\n"

  private(set) var text: String

  /// Writes everything that scripts, configurations and tests can use.
  init(_ registry: Registry) {
    text =
      Self.mark + """

        -- Written by `pipeline types`. `---@type pipeline.Script` above `local M = {}` tells an editor what M is.

        ---A span of time such as "10m".
        ---@alias pipeline.Duration string

        """
    for type in registry.types { add(type) }
    let groups =
      registry.functions.map(\.name) + registry.constants.map(\.name)
      + registry.components.map(\.constructor)
    let variables = Set(registry.types.compactMap(\.variable))
    for group in Set(groups.compactMap(Self.group)).subtracting(variables).sorted() {
      text += "\n\(group) = {}\n"
    }
    for constant in registry.constants { add(constant) }
    for function in registry.functions where function.name != PresetSpec.constructor {
      add(function, registry)
    }
    for spec in registry.components { add(spec) }
    if let function = registry.function(PresetSpec.constructor) { add(function, presets: registry) }
  }

  /// The table that holds a function or a constant, nil for a global.
  private static func group(of name: String) -> String? {
    name.firstIndex(of: ".").map { String(name[..<$0]) }
  }

  private mutating func add(_ type: TypeSpec) {
    var classes = ClassWriter()
    classes.add("pipeline.\(type.name)", summary: type.summary, members: type.members)
    text += classes.text
    text += "local \(type.name) = {}\n"
  }

  private mutating func add(_ constant: ConstantSpec) {
    text += "\n" + Self.comment(constant.summary, example: constant.example)
    text += "---@type \(ClassWriter.known(constant.type))\n\(constant.name) = nil\n"
  }

  private mutating func add(_ function: FunctionSpec, _ registry: Registry) {
    var classes = ClassWriter()
    var lines = ""
    let owner = function.name.replacing(":", with: ".")
    var generics: [String: String] = [:]
    if case .same(let name)? = function.returns?.type { generics[name] = "T" }
    for parameter in function.parameters {
      var type = classes.type(of: parameter.type, path: "\(owner).\(parameter.name)")
      if let generic = generics[parameter.name] {
        lines += "---@generic \(generic)\n"
        type = generic
      }
      let name = parameter.repeats ? "..." : parameter.name
      lines += "---@param \(name)\(function.canEnd(before: parameter) ? "?" : "") \(type) \(parameter.help)\n"
    }
    if let result = function.returns {
      var type = classes.type(of: result.type, path: "\(owner).result")
      if case .same(let name) = result.type { type = generics[name] ?? "any" }
      lines += "---@return \(type)\(result.isOptional ? "?" : "") # \(result.help)\n"
    }
    if let short = function.withoutLeading {
      let parameters = short.map { parameter in
        let type = classes.type(of: parameter.type, path: "\(owner).\(parameter.name)")
        return "\(parameter.name)\(parameter.isOptional ? "?" : ""): \(type)"
      }
      lines += "---@overload fun(\(parameters.joined(separator: ", ")))\n"
    }
    text += classes.text
    text += "\n" + Self.comment(function.summary, example: function.example) + lines
    let names = function.parameters.map { $0.repeats ? "..." : $0.name }.joined(separator: ", ")
    text += "function \(registry.typedName(of: function))(\(names)) end\n"
  }

  private mutating func add(_ spec: ComponentSpec) {
    var classes = ClassWriter()
    let options = "pipeline.\(spec.constructor).options"
    classes.add(
      options, summary: "The options of \(spec.constructor)", members: spec.fields.map(ParameterSpec.init))
    text += classes.text
    text += "\n" + Self.comment(spec.summary, example: spec.example)
    text += "---@param options \(options)\n---@return pipeline.\(TypeSpec.typeName(of: spec.kind))\n"
    text += "function \(spec.constructor)(options) end\n"
  }

  /// Adds the function that knows the options of each preset by its name.
  private mutating func add(_ function: FunctionSpec, presets registry: Registry) {
    var classes = ClassWriter()
    let source = "pipeline.\(TypeSpec.typeName(of: .source))"
    let prefix = "pipeline.\(PresetSpec.constructor)"
    for base in Set(registry.presets.map(\.base)).sorted() {
      guard let spec = registry.spec(.source, base) else { continue }
      classes.add(
        "\(prefix).\(base)", like: "pipeline.\(spec.constructor).options",
        members: spec.fields.map(ParameterSpec.init))
    }
    var overloads = ""
    for preset in registry.presets {
      let options = "\(prefix).\(preset.name)"
      classes.add(
        options, summary: preset.summary, parent: "\(prefix).\(preset.base)",
        members: preset.fields.map(ParameterSpec.init))
      overloads += "---@overload fun(name: \"\(preset.name)\"): (fun(options: \(options)): \(source))\n"
    }
    text += classes.text + "\n" + Self.comment(function.summary, example: function.example) + overloads
    for parameter in function.parameters {
      let type = classes.type(of: parameter.type, path: "\(function.name).\(parameter.name)")
      text += "---@param \(parameter.name) \(type) \(parameter.help)\n"
    }
    text += "---@return \(source)\nfunction \(function.name)(name, options) end\n"
  }

  /// A sentence and a use as a comment.
  private static func comment(_ summary: String, example: String) -> String {
    let lines = ["\(summary).", "```lua"] + example.split(separator: "\n").map(String.init) + ["```"]
    return lines.map { "---\($0)\n" }.joined()
  }
}

extension Registry {
  /// The function's name with the type in place of the variable that stands for one.
  fileprivate func typedName(of function: FunctionSpec) -> String {
    guard let type = types.first(where: { functions(of: $0).contains { $0.name == function.name } }),
      let variable = type.variable
    else { return function.name }
    return type.name + function.name.dropFirst(variable.count)
  }
}

extension FunctionSpec {
  /// The parameters behind those at the start that may be left out, where required ones follow them.
  fileprivate var withoutLeading: [ParameterSpec]? {
    guard parameters.first?.isOptional == true, let first = parameters.firstIndex(where: { !$0.isOptional })
    else { return nil }
    return Array(parameters[first...])
  }

  /// Whether a call may end before a parameter: one in front of a required one must be there.
  fileprivate func canEnd(before parameter: ParameterSpec) -> Bool {
    guard let index = parameters.firstIndex(where: { $0.name == parameter.name }) else { return false }
    return !parameter.repeats && parameters[index...].allSatisfy(\.isOptional)
  }
}
