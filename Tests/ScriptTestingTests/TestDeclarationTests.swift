import Pipeline
import Scripting
import TestPeers
import Testing

@testable import ScriptTesting

@Suite("What is declared for tests is what there is")
struct TestDeclarationTests {
  @Test("A test file reaches everything that is declared for it, and nothing else")
  func testFiles() async throws {
    let registry = Registry.builtIn.withTesting
    var declared = LuaLibrary.names.union(registry.functions(in: .test).map(\.name))
    declared.formUnion(registry.constants.filter { $0.files.contains(.test) }.map(\.name))
    // What is missing and what is too much fails the test by name.
    let known = declared.sorted().map { "[\"\($0)\"] = true" }.joined(separator: ", ")
    let (report, text) = try await TestFolder().run(
      LuaGlobals.walk + #"walk(test.script("alert.lua"), "t.")"# + "\n" + """
        local declared = { \(known) }
        local undeclared, found = {}, {}
        for _, name in ipairs(names) do
          found[name] = true
          if not declared[name] then undeclared[#undeclared + 1] = name end
        end
        local missing = {}
        for name in pairs(declared) do if not found[name] then missing[#missing + 1] = name end end
        local t = test.script("alert.lua")
        it("holds", function()
          assert(#undeclared == 0, "undeclared: " .. table.concat(undeclared, " "))
          assert(#missing == 0, "missing: " .. table.concat(missing, " "))
          t.nothing()
        end)
        """)
    #expect(report.exitStatus == 0, "\(text)")
  }

  @Test("Every claim takes the fields that its declaration names")
  func claims() {
    for kind in ClaimKind.allCases {
      #expect(kind.spec.name == "t.\(kind.rawValue)")
      #expect(!kind.fields.isEmpty)
    }
  }

  @Test(
    "Verbs and claims have help, no line of it wider than 80 characters",
    arguments: [
      "t", "t.receive", "t.alert", "t.state", "test.script", "it", "api",
    ])
  func help(topic: String) throws {
    let help = try Registry.builtIn.withTesting.help(on: topic)
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("The whole reference holds each declared function with its signature")
  func reference() throws {
    let registry = Registry.builtIn.withTesting
    let reference = try registry.help(on: "api")
    for function in registry.functions { #expect(reference.contains("\n\(function.signature)\n")) }
    for spec in registry.components { #expect(reference.contains("\n\(spec.constructor)\n")) }
  }
}
