import TestPeers
import Testing

@Suite("3.2 What an action allocates")
struct AllocationTests {
  @Test(
    "Nothing, so it copies no buffer, whatever child it is for; only what a row sends at once needs some bytes"
  )
  func nothing() throws {
    let probe = try ChildProcess([BuildFolder.path + "/AllocationProbe"])
    var costs: [String: (blocks: Int, bytes: Int)] = [:]
    while case let line = probe.readLine(), !line.isEmpty {
      // A sanitizer has an allocator of its own.
      if line == "sanitized" { return }
      let words = line.split(separator: " ")
      costs[words.dropLast(2).joined(separator: " ")] =
        (try #require(Int(words[words.count - 2])), try #require(Int(words[words.count - 1])))
    }
    probe.end()
    #expect(costs.count == 7)
    let row = costs.removeValue(forKey: "send of a row")
    #expect(row.map { $0.bytes < 400 } == true)
    for (name, cost) in costs { #expect(cost.blocks == 0, "\(name): \(cost)") }
  }
}
