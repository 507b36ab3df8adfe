import Glibc
import LuaReference
import Scripting
import TestPeers
import Testing

@Suite("Patterns beside those of the distribution's Lua")
struct PatternDifferenceTests {
  private static let file = {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return SharedInputs.read(folder.joined(separator: "/") + "/Inputs/pattern_cases.lua")
  }()

  private func source(seed: Int, count: Int) throws -> String {
    "local SEED <const>, COUNT <const> = \(seed), \(count)\n" + (try #require(Self.file))
  }

  private func ours(_ source: String) throws -> [String] {
    var limits = MachineLimits()
    limits.steps = 1_000_000_000
    limits.milliseconds = 600_000
    limits.memoryBytes = 256 << 20
    let functions: [HostFunction] = []
    let machine = try #require(ScriptMachine(profile: .configuration, limits: limits, functions: functions))
    try machine.load(source, name: "cases")
    guard case .list(let cases)? = machine.result["cases"] else { return [] }
    return cases.compactMap(\.text)
  }

  private func theirs(_ source: String) -> [String] {
    let text = lua_reference_cases(source, source.utf8.count)
    defer { free(text) }
    return String(cString: text).split(separator: "\n").map(String.init)
  }

  @Test(
    "20,000 random patterns give the same results and the same errors, or a million with PIPELINE_TEST_LONG",
    arguments: 0..<(LongTests.areWanted ? 1_000 : 20))
  func agree(block: Int) throws {
    let source = try source(seed: block * 7_919 + 1, count: 1_000)
    let ours = try ours(source), theirs = theirs(source)
    #expect(theirs.count == 1_000, "\(theirs.first ?? "")")
    guard ours != theirs else { return }
    let index = zip(ours, theirs).enumerated().first { $1.0 != $1.1 }?.offset ?? min(ours.count, theirs.count)
    Issue.record(
      "case \(index) of block \(block):\nours:   \(ours[safe: index])\ntheirs: \(theirs[safe: index])")
  }
}

extension [String] {
  fileprivate subscript(safe index: Int) -> String { indices.contains(index) ? self[index] : "nothing" }
}
