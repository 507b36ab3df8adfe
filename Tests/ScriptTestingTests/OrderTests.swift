import ScriptTesting
import Testing

@Suite("The order in which tests run")
struct OrderTests {
  /// Eight tests of which each logs its number through the message of its failure.
  private static let eight = """
    for i = 1, 8 do
      it("number " .. i, function() test.script("alert.lua").receive("price", { bitcoin = i }) end)
    end
    """

  private func durations(seed: UInt64?) async throws -> TestReport {
    let folder = try TestFolder()
    try folder.write("alert.lua", TestFolder.priceAlert)
    try folder.write("case_test.lua", Self.eight)
    return await TestSuite.run(files: [folder.path], seed: seed)
  }

  @Test("is made from a seed: the same for the same one, another for another one")
  func seeds() async throws {
    let first = try await durations(seed: 7).files[0].order
    #expect(first.sorted() == Array(0..<8) && first != Array(0..<8))
    #expect(try await durations(seed: 7).files[0].order == first)
    #expect(try await durations(seed: 8).files[0].order != first)
  }

  @Test("is another one each time, told by a failed run, and results stand in the order of the file")
  func report() async throws {
    let report = try await durations(seed: nil)
    let seed = try #require(report.seed)
    #expect(report.text.hasSuffix("0 passed, 8 failed\nto repeat the order of the tests: --seed \(seed)\n"))
    #expect(report.files[0].tests.map(\.name) == (1...8).map { "number \($0)" })
    var seeds: Set<UInt64?> = [seed]
    for _ in 0..<3 { seeds.insert(try await durations(seed: nil).seed) }
    #expect(seeds.count > 1)
  }
}
