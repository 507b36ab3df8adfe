import Scripting
import Testing

@testable import Pipeline

@Suite("Statistics in the reference")
struct StatisticSpecTests {
  @Test("what scripts find in stats is what the reference declares")
  func names() throws {
    let functions: [HostFunction] = []
    let machine = try #require(
      ScriptMachine(profile: .script, limits: MachineLimits(), functions: functions))
    try machine.load(
      """
      local names = {}
      for name in pairs(stats) do names[#names + 1] = "stats." .. name end
      return { state = { names = names }, on = {} }
      """, name: "names.lua")
    let declared = FunctionSpec.statistics.map(\.name).sorted()
    #expect(machine.result["state"]?["names"] == .list(declared.map { .text($0) }))
  }

  @Test("a declaration's help shows its options with their ranges")
  func help() throws {
    let help = try Registry.builtIn.help(on: "stats.rate")
    #expect(help.contains("stats.rate { … }"))
    #expect(help.contains("2 to 100000") || help.contains("2 and 100000"), "\(help)")
    #expect(
      help.contains("per") && help.contains(#"M.state = { climb = stats.rate { over = "5m", per = "1m" } }"#))
    for name in FunctionSpec.statistics.map(\.name) {
      #expect(try Registry.builtIn.help(on: name).split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
  }
}
