import Testing

@testable import Pipeline

@Suite("Findings")
struct FindingsTests {
  @Test("Findings are sorted by file, line and path, whatever the order they were found in")
  func sorted() {
    var findings = Findings()
    findings.add(Place(file: "b.lua", line: 1), "four")
    findings.add(Place(file: "a.lua", line: 20, path: "y"), "three")
    findings.add(Place(file: "a.lua", line: 3, path: "z"), "two")
    findings.add(Place(file: "a.lua", path: "x"), "one")
    #expect(findings.description == "a.lua: x: one\na.lua:3: z: two\na.lua:20: y: three\nb.lua:1: four")
  }

  @Test("Beyond the limit findings are counted, not kept")
  func limit() {
    var findings = Findings()
    for number in 1...Findings.limit + 5 { findings.add(Place(file: "a", line: number), "x") }
    #expect(findings.sorted.count == Findings.limit)
    #expect(findings.count == Findings.limit + 5)
    #expect(findings.description.hasSuffix("\nand 5 more"))
    var more = Findings()
    more.add(findings)
    #expect(more == findings)
  }
}
