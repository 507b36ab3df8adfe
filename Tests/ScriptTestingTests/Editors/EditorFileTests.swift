import Scripting
import ScriptTesting
import Testing

@testable import Pipeline

@Suite("What editors are told")
struct EditorFileTests {
  private static let registry = Registry.builtIn.withTesting
  private static let files = EditorFile.all(registry)

  private static func text(_ path: String) throws -> String {
    try #require(files.first { $0.path == path }).text
  }

  /// What Lua returns that runs behind the text.
  private static func evaluate(_ text: String, before: String = "", behind: String) throws -> Value {
    let machine = try #require(ScriptMachine(profile: .configuration))
    try machine.load("\(before)\n\(text)\n\(behind)", name: "text.lua")
    return machine.result
  }

  @Test("The annotations are Lua that defines each declared function, and nothing else")
  func annotations() throws {
    let names = try Self.evaluate(
      try Self.text("types/pipeline.lua"),
      before: """
        for _, name in ipairs { "base64", "json", "time" } do for key in pairs(_G[name]) do _G[name][key] = nil end end
        num, each_key = nil, nil
        local own = {}
        for name in pairs(_G) do own[name] = true end
        own.base64, own.json, own.time = nil, nil, nil
        """,
      behind: """
        local names = {}
        local function walk(table, path)
          for name, value in pairs(table) do
            if type(value) == "table" then walk(value, path .. name .. ".") else names[#names + 1] = path .. name end
          end
        end
        for name, value in pairs(_G) do
          if own[name] then
          elseif type(value) == "table" then
            walk(value, name .. ".")
          else
            names[#names + 1] = name
          end
        end
        for _, class in ipairs { { "rule:", Rule }, { "t.", Test } } do walk(class[2], class[1]) end
        return names
        """)
    guard case .list(let list) = names else { return #expect(Bool(false), "\(names)") }
    let declared = Self.registry.functions.map(\.name) + Self.registry.components.map(\.constructor)
    #expect(Set(list.compactMap(\.text)) == Set(declared))
  }

  @Test("Every class that an annotation names is declared, and once")
  func classes() throws {
    let text = try Self.text("types/pipeline.lua")
    var declared: [String] = []
    var named: Set<String> = []
    for line in text.split(separator: "\n") where line.hasPrefix("---@") {
      let words = line.split { !($0.isLetter || $0.isNumber || $0 == "." || $0 == "_" || $0 == "@") }.map(
        String.init)
      if ["@class", "@alias"].contains(words[0]) {
        declared.append(words[1])
      } else {
        named.formUnion(words.filter { $0.hasPrefix("pipeline.") })
      }
    }
    #expect(Set(declared).count == declared.count)
    #expect(named.subtracting(declared).isEmpty)
  }

  @Test(
    "A type is written as editors know it",
    arguments: [
      (ScriptType.list(of: .choice(["a", "b"])), "(\"a\"|\"b\")[]"),
      (.map(of: .list(of: .number)), "table<string, number[]>"),
      (.either([.text, .function([], returns: [.text, .integer])]), "string|(fun(): string, integer)"),
      (
        .function([ParameterSpec("value", .anything, optional: true, help: "x")], returns: []),
        "fun(value?: any)"
      ),
      (.table([ParameterSpec("a", .boolean, help: "x")]), "pipeline.here"),
      (.named("Rule"), "pipeline.Rule"),
    ])
  func types(type: ScriptType, text: String) {
    var classes = ClassWriter()
    #expect(classes.type(of: type, path: "here") == text)
    #expect(
      classes.text == (text == "pipeline.here" ? "\n---@class pipeline.here\n---@field a boolean x\n" : ""))
  }

  @Test("A parameter at the front that may be left out is an overload")
  func overloads() throws {
    let text = try Self.text("types/pipeline.lua")
    #expect(text.contains("---@overload fun(text: string)\nfunction Test.log(level, text) end\n"))
    #expect(
      text.contains("---@generic T\n---@param defaults T A table of names and defaults\n---@return T # "))
    #expect(
      text.contains("---@param ... any Texts or values, joined by blanks\nfunction log.info(...) end\n"))
    #expect(text.contains("---@return number? # the value, or nil while there are too few"))
  }

  @Test("The linter's settings are Lua that lists each name there is")
  func linter() throws {
    let standards = try Self.evaluate(
      try Self.text(".luacheckrc"), before: "stds, files = {}, {}",
      behind: """
        local names = {}
        for _, standard in pairs(stds) do
          for key, value in pairs(standard.read_globals) do
            if type(value) == "string" then names[#names + 1] = value end
            if type(value) == "table" then
              for _, field in ipairs(value.fields) do names[#names + 1] = key .. "." .. field end
            end
          end
        end
        return { names = names, std = std, files = files }
        """)
    #expect(standards["std"] == "pipeline")
    #expect(standards["files"]?["**/*_test.lua"]?["std"] == "+pipeline_tests")
    guard case .list(let names)? = standards["names"] else { return #expect(Bool(false), "\(standards)") }
    var declared = LuaLibrary.names.union(Self.registry.constants.map(\.name))
    declared.formUnion(
      Self.registry.functions.map(\.name).filter { !$0.contains(":") && !$0.hasPrefix("t.") })
    declared.formUnion(Self.registry.components.map(\.constructor))
    #expect(Set(names.compactMap(\.text)) == declared)
  }

  @Test("The language server's settings are JSON and switch off the libraries that scripts don't have")
  func languageServer() throws {
    let settings = try Value(json: try Self.text(".luarc.json"))
    #expect(settings["runtime.version"] == "Lua 5.4")
    #expect(
      settings["runtime.builtin"]
        == ["coroutine": "disable", "debug": "disable", "io": "disable", "os": "disable"])
    #expect(settings["workspace.library"] == ["types"])
  }

  private static let root = #filePath.prefix(before: "/Tests/")

  private static let tests = TextFile.names(in: "\(root)/examples").flatMap { folder in
    TextFile.names(in: "\(root)/examples/\(folder)").filter { $0.hasSuffix("_test.lua") }
      .map { "\(root)/examples/\(folder)/\($0)" }
  }

  @Test("The tests of the examples call only what is declared", arguments: tests)
  func exampleTests(path: String) throws {
    // As a global its members are looked up, too.
    let source = try TextFile.read(path, maximumBytes: 1 << 20).replacing("local t = ", with: "local _ = ")
    let globals = LuaLibrary.names.union(Self.registry.functions(in: .test).map(\.name))
      .union(Self.registry.constants.map(\.name))
    let inspection = ScriptInspection(source, file: path, subject: ScriptInspection.Subject(globals: globals))
    #expect(inspection.findings == [])
    #expect(ScriptInspection("t.recieve()", file: path, subject: inspection.subject).findings.count == 1)
  }

  @Test("The examples carry them as they are now", arguments: Self.files)
  func examples(file: EditorFile) throws {
    let path = "\(Self.root)/examples/\(file.path)"
    #expect(
      try TextFile.read(path, maximumBytes: 1 << 20) == file.text,
      "run 'scripts/run types examples --force' and commit what it writes")
  }
}

extension String {
  /// What stands before the last occurrence of a text.
  fileprivate func prefix(before text: String) -> String {
    var end = startIndex
    for range in ranges(of: text) { end = range.lowerBound }
    return String(self[..<end])
  }
}
