import Scripting
import TestPeers
import Testing

@testable import Pipeline

@Suite("What is declared is what there is")
struct DeclarationTests {
  private static func declared(_ kind: LuaFileKind) -> Set<String> {
    let registry = Registry.builtIn
    var names = LuaLibrary.names
    names.formUnion(registry.functions(in: kind).map(\.name).filter { !$0.contains(":") })
    names.formUnion(registry.constants.filter { $0.files.contains(kind) }.map(\.name))
    if kind == .configuration { names.formUnion(registry.components.map(\.constructor)) }
    return names
  }

  private static func names(_ value: Value?) -> Set<String> {
    guard case .list(let names)? = value else { return [] }
    return Set(names.compactMap(\.text))
  }

  @Test("A script reaches everything that is declared for it, and nothing else")
  func scripts() throws {
    // The list leaves the script as the reason of a failure.
    let file = ScriptFile(name: "walk.lua", source: LuaGlobals.walk + "error(json.encode(names), 0)")
    let failure = #expect(throws: ScriptFailure.self) { try ScriptRunner(name: "walk", file: file) }
    let names = try Value(json: try #require(failure).reason)
    #expect(Self.names(names) == Self.declared(.script))
  }

  @Test("So does a configuration")
  func configurations() throws {
    let file = ScriptFile(name: "config.lua", source: LuaGlobals.walk + "return names")
    let value = try ConfigurationFile.evaluate(file, registry: .builtIn)
    #expect(Self.names(value) == Self.declared(.configuration))
  }

  @Test("A rule has the functions that are declared for one")
  func rules() throws {
    let type = try #require(Registry.builtIn.types.first { $0.name == "Rule" })
    let functions = Registry.builtIn.functions(of: type).map { $0.name.dropFirst("rule:".count) }
    #expect(functions == ["check"])
    let file = ScriptFile(
      name: "rule.lua",
      source: """
        local rule = alert.rule { name = "over", above = 1 }
        return { state = { check = type(rule.check), rule = type(rule), other = type(rule.other) }, on = {} }
        """)
    let runner = try ScriptRunner(name: "rule", file: file)
    #expect(runner.declarations["state"] == ["check": "function", "rule": "rule", "other": "nil"])
  }

  @Test("Types that declarations name are declared, and so is each variable of a function")
  func types() {
    let registry = Registry.builtIn
    let known = Set(registry.types.map(\.name))
    for function in registry.functions {
      let types = function.parameters.map(\.type) + [function.returns?.type].compactMap { $0 }
      #expect(types.flatMap(\.names).allSatisfy(known.contains), "\(function.name)")
      if let colon = function.name.firstIndex(of: ":") {
        #expect(
          registry.types.contains { $0.variable == String(function.name[..<colon]) }, "\(function.name)")
      }
    }
    for type in registry.types {
      #expect(type.members.flatMap(\.type.names).allSatisfy(known.contains), "\(type.name)")
    }
  }

  @Test("Options that must be given are refused where they are missing")
  func requiredOptions() {
    let tables: [([OptionSpec], (Value) -> String)] = [
      (AlertRule.options, { Self.findings { _ = try AlertRule(reading: $0) }($0) }),
      (AlertRoute.options, { Self.findings { _ = try AlertRoute(reading: $0, channels: []) }($0) }),
    ]
    for (options, read) in tables {
      let findings = read([:])
      for option in options {
        #expect(findings.contains("invalid '\(option.name)'") == option.isRequired, "\(option.name)")
      }
    }
  }

  private static func findings(_ read: @escaping (Value) throws -> Void) -> (Value) -> String {
    { value in
      do {
        try read(value)
        return ""
      } catch {
        return "\(error)"
      }
    }
  }

  @Test("Each example is valid Lua")
  func examples() throws {
    for example in Self.examples {
      let source = "return function() \(example) end"
      let isExpression = (try? Self.load("return function() return \(example)\nend")) != nil
      if !isExpression { #expect(throws: Never.self, "\(example)") { try Self.load(source) } }
    }
  }

  private static var examples: [String] {
    let registry = Registry.builtIn
    return registry.functions.map(\.example) + registry.constants.map(\.example)
      + registry.types.compactMap(\.example)
  }

  private static func load(_ source: String) throws(ScriptFailure) {
    let machine = ScriptMachine(profile: .configuration)
    guard let machine else { throw ScriptFailure(reason: "no memory") }
    try machine.load("local f = (function() \(source) end)() return {}", name: "example")
  }
}

extension ScriptType {
  /// The names of types in it.
  fileprivate var names: [String] {
    switch self {
    case .named(let name): [name]
    case .list(let element), .map(let element): element.names
    case .table(let members): members.flatMap(\.type.names)
    case .function(let parameters, let results): parameters.flatMap(\.type.names) + results.flatMap(\.names)
    case .either(let types): types.flatMap(\.names)
    default: []
    }
  }
}
