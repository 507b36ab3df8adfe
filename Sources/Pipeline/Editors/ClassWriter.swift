/// Tables with known members as classes of the Lua language server, each under the path to where it is used.
struct ClassWriter {
  private(set) var text = ""
  private var written: Set<String> = []

  /// Adds a class, after those of the tables within it.
  ///
  /// - Parameter parent: a class whose members it has as well.
  mutating func add(_ name: String, summary: String?, parent: String? = nil, members: [ParameterSpec]) {
    guard written.insert(name).inserted else { return }
    let head = (summary.map { "---\($0).\n" } ?? "") + "---@class \(name)"
    let fields = fields(members, of: name)
    text += "\n\(head)\(parent.map { " : \($0)" } ?? "")\n\(fields)"
  }

  /// Adds a class with the members of another one, all of which may be left out.
  mutating func add(_ name: String, like other: String, members: [ParameterSpec]) {
    var optional = members
    for index in optional.indices { optional[index].isOptional = true }
    // The classes of the tables within it are those of the other one.
    var types = ClassWriter()
    text += "\n---@class \(name)\n" + types.fields(optional, of: other)
  }

  private mutating func fields(_ members: [ParameterSpec], of name: String) -> String {
    let path = name.hasPrefix("pipeline.") ? String(name.dropFirst("pipeline.".count)) : name
    var lines = ""
    for member in members {
      let type = type(of: member.type, path: "\(path).\(member.name)")
      var facts = [member.help]
      if let unit = member.unit { facts.append("in \(unit)") }
      if let fallback = member.fallback, fallback != "{}" { facts.append("default \(fallback)") }
      lines +=
        "---@field \(member.name)\(member.isOptional ? "?" : "") \(type) \(facts.joined(separator: "; "))\n"
    }
    return lines
  }

  /// The name of a type; the tables in it become classes under the path.
  mutating func type(of type: ScriptType, path: String) -> String {
    switch type {
    case .table(let members):
      add("pipeline.\(path)", summary: nil, members: members)
      return "pipeline.\(path)"
    case .list(let element): return Self.wrapped(self.type(of: element, path: path)) + "[]"
    case .map(let element): return "table<string, \(self.type(of: element, path: path))>"
    case .either(let types):
      return types.map { Self.wrapped(self.type(of: $0, path: path)) }.joined(separator: "|")
    case .function(let parameters, let results):
      let taken = parameters.map { parameter in
        let type = self.type(of: parameter.type, path: "\(path).\(parameter.name)")
        return "\(parameter.name)\(parameter.isOptional ? "?" : ""): \(type)"
      }
      let given = results.map { self.type(of: $0, path: path) }.joined(separator: ", ")
      return "fun(\(taken.joined(separator: ", ")))" + (given.isEmpty ? "" : ": \(given)")
    default: return Self.known(type)
    }
  }

  /// The name of a type that has no others in it.
  static func known(_ type: ScriptType) -> String {
    switch type {
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .text: "string"
    case .duration: "pipeline.Duration"
    case .choice(let choices): choices.map { "\"\($0)\"" }.joined(separator: "|")
    case .named(let name): "pipeline.\(name)"
    default: "any"
    }
  }

  /// A type in brackets where it would not stay one beside others.
  private static func wrapped(_ type: String) -> String {
    type.hasPrefix("fun(") || type.contains("|") ? "(\(type))" : type
  }
}
