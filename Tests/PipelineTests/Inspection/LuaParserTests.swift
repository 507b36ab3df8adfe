import Scripting
import Testing

@testable import Pipeline

@Suite("Reading Lua")
struct LuaParserTests {
  @Test(
    "Expressions are put together as Lua does",
    arguments: [
      ("1 + 2 * 3", "(1 + (2 * 3))"), ("-x ^ 2", "(- (x ^ 2))"), ("a .. b .. c", "(a .. (b .. c))"),
      ("a or b and c", "(a or (b and c))"), ("not a == b", "((not a) == b)"),
      ("2 ^ -3 ^ 2", "(2 ^ (- (3 ^ 2)))"),
      ("a < b == true", "((a < b) == true)"), ("a - b - c", "((a - b) - c)"),
      ("(a - b).c[1]", "(a - b).c[1]"),
      ("f 'x' { y = 1, 2, [z] = 3 } (nil, ...)", "f(\"x\")({y = 1, 2, [z] = 3})(nil, ...)"),
      ("s:upper():rep(2)", "s:upper():rep(2)"), ("#t + 1", "((# t) + 1)"),
      ("function(a, b, ...) return a end", "function(a, b)"),
      ("a & b | c ~ d << 1", "((a & b) | (c ~ (d << 1)))"),
    ])
  func expressions(text: String, shown: String) throws {
    let statements = try LuaParser.parse("return \(text)")
    guard case .return(let values)? = statements.first?.kind else { return #expect(Bool(false)) }
    #expect(values.map(\.shown) == [shown])
  }

  @Test("Every statement of Lua is read")
  func statements() throws {
    let text = """
      local a <const>, b <close> = 1; local c
      ::top:: goto top
      do break end
      while a do if b then return elseif c then return 1, 2; else ; end end
      repeat local d = 1 until d
      for i = 1, 10, 2 do end for k, v in pairs(t) do end
      function a.b.c:d(...) end local function e() end
      a.b, c[1] = f(), 2 a "x".y = 3
      (f or g)(1)
      """
    let statements = try LuaParser.parse(text)
    #expect(statements.map(\.line) == [1, 1, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9])
  }

  @Test(
    "What no machine would load is refused",
    arguments: [
      "local", "a =", "if a then", "f(", "x = = 1", "for i do end", "return 1 x", "{", "end", "a.b",
    ])
  func refusals(text: String) {
    #expect(throws: LuaSyntaxError.self) { try LuaParser.parse(text) }
  }

  @Test("Text of any depth or length ends in an answer, not in the end of the stack")
  func bounds() throws {
    for text in [
      String(repeating: "(", count: 100_000), "x = " + String(repeating: "{", count: 100_000),
      "x = " + String(repeating: "1 + ", count: 100_000) + "1",
      "x = a" + String(repeating: ".b", count: 100_000),
      String(repeating: "do ", count: 100_000),
      "x = " + String(repeating: "function() return ", count: 100_000),
    ] { #expect(throws: LuaSyntaxError.self) { try LuaParser.parse(text) } }
    let rows = String(repeating: "x = 1 if x then y = x end\n", count: 10_000)
    #expect(try LuaParser.parse(rows).count == 20_000)
  }

  @Test("Whatever a machine loads is read", arguments: LuaSamples.files)
  func samples(path: String) throws {
    let source = try TextFile.read(path, maximumBytes: 4 << 20)
    _ = try LuaParser.parse(source)
  }
}

/// The Lua files of this package.
enum LuaSamples {
  static let root = #filePath.split(separator: "/Tests/PipelineTests/")[0]

  /// Those of the examples, the benchmarks and the tests of the libraries.
  static let files: [String] = {
    let folders = TextFile.names(in: "\(root)/examples").map { "examples/\($0)" }
    let all = folders.flatMap { folder in
      TextFile.names(in: "\(root)/\(folder)").map { "\(root)/\(folder)/\($0)" }
    }
    let benchmarks = TextFile.names(in: "\(root)/scripts/bench.d").map { "\(root)/scripts/bench.d/\($0)" }
    return (all + benchmarks + ["\(root)/Tests/ScriptingTests/Inputs/library_cases.lua"])
      .filter { $0.hasSuffix(".lua") }
  }()

  /// Scripts and configurations among them.
  static let scripts = files.filter {
    !$0.hasSuffix("_test.lua") && !$0.hasSuffix("library_cases.lua") && !$0.hasSuffix("/types/pipeline.lua")
  }
}

extension LuaExpression {
  /// The expression with a bracket around each operation.
  fileprivate var shown: String {
    switch kind {
    case .nil: "nil"
    case .boolean(let flag): "\(flag)"
    case .number(let text), .name(let text): text
    case .text(let text): "\"\(text)\""
    case .varargs: "..."
    case .index(let base, let key):
      if case .text(let name) = key.kind { "\(base.shown).\(name)" } else { "\(base.shown)[\(key.shown)]" }
    case .call(let function, let arguments):
      "\(function.shown)(\(arguments.map(\.shown).joined(separator: ", ")))"
    case .method(let base, let name, let arguments):
      "\(base.shown):\(name)(\(arguments.map(\.shown).joined(separator: ", ")))"
    case .function(let function): "function(\(function.parameters.joined(separator: ", ")))"
    case .table(let items):
      "{"
        + items.map { item in
          guard let key = item.key else { return item.value.shown }
          if case .text(let name) = key.kind { return "\(name) = \(item.value.shown)" }
          return "[\(key.shown)] = \(item.value.shown)"
        }.joined(separator: ", ") + "}"
    case .unary(let operation, let operand): "(\(operation) \(operand.shown))"
    case .binary(let operation, let left, let right): "(\(left.shown) \(operation) \(right.shown))"
    }
  }
}
