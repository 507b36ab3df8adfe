import Composable
import TestPeers
import Testing

@Suite("3.5 The compiler's errors for wrong routes")
struct CompilerErrorTests {
  @Test("A mistake is told at its line, with the types in question", arguments: Mistake.all)
  func errors(mistake: Mistake) throws {
    // Of two errors about one place either may come first.
    #expect(try Self.errors.get()[mistake.declaration]?.sorted() == mistake.errors.sorted())
  }

  @Test("Nothing else is wrong in the file of mistakes")
  func noOthers() throws {
    #expect(try Set(Self.errors.get().keys) == Set(Mistake.all.map(\.declaration)))
  }

  @Test("The documentation explains errors that there are")
  func explained() throws {
    let page = BuildFolder.directory(of: #filePath) + "/../../Sources/Composable/Composable.docc/Concepts.md"
    let rows = try BuildFolder.text(of: page).split(separator: "\n").drop { $0 != "| error | meaning |" }
      .dropFirst(2)
    let texts = rows.prefix { $0.hasPrefix("| ") }.map { $0.dropFirst(2).prefix { $0 != "|" }.dropLast() }
    #expect(texts.count == 5)
    let errors = Set(Mistake.all.flatMap(\.errors))
    for text in texts { #expect(errors.contains(String(text)), "no mistake leads to: \(text)") }
  }

  /// The compiler's errors about the file of mistakes, by the declaration they are in.
  private static let errors = Result {
    try compile(BuildFolder.directory(of: #filePath) + "/CompilerErrors/WrongRoutes.swift")
  }

  private static func compile(_ file: String) throws -> [String: [String]] {
    let compiler = try ChildProcess([
      "sh", "-c", #""$0" "$@" 2>&1 | grep " error: ""#, try BuildFolder.toolchain + "/bin/swiftc",
      "-frontend",
      "-typecheck",
      "-swift-version", "6", "-diagnostic-style", "llvm", "-I", try BuildFolder.path + "/Modules", file,
    ])
    let lines = sequence(state: compiler) { compiler in
      let line = compiler.readLine()
      return line.isEmpty ? nil : line
    }
    let source = try BuildFolder.text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
    var errors: [String: [String]] = [:]
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 4).map { $0.drop { $0 == " " } }
      guard parts.count == 5, let number = Int(parts[1]), source.indices.contains(number - 1) else {
        throw ChildProcess.Failure(description: line)
      }
      let declaration = source[..<number].last { $0.hasPrefix("struct ") || $0.hasPrefix("func ") }
      let name = declaration?.split { !$0.isLetter }.dropFirst().first ?? "no declaration"
      errors[String(name), default: []].append(String(parts[4]))
    }
    compiler.end()
    return errors
  }
}
