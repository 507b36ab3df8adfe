import Scripting
import Testing

@Suite("Test reports for build servers")
struct JUnitTests {
  /// Reads a report with Python's parser of XML and gives what build servers look for.
  private static let reader = """
    import json, sys, xml.etree.ElementTree as tree
    root = tree.parse(sys.argv[1]).getroot()
    cases = root.findall("testsuite/testcase")
    failures = [f for case in cases for f in case.findall("failure")]
    print(json.dumps({
      "root": root.tag, "tests": int(root.get("tests")), "failures": int(root.get("failures")),
      "suites": [int(s.get("tests")) for s in root.findall("testsuite")], "names": [c.get("name") for c in cases],
      "timed": all(float(c.get("time")) >= 0 for c in cases), "messages": [f.get("message") for f in failures],
      "texts": [f.text for f in failures]}))
    """

  private static let tests = """
    local t = test.script("watch.lua")
    it("passes & <is> \\"quoted\\"", function()
      t.receive("price", { price = 1 })
      t.state { price = 1.0 }
    end)
    it("fails with ]]> and \\1", function()
      t.receive("price", { price = 2 })
      t.state { price = 3.0 }
    end)
    """

  @Test(
    "a report in a file is well-formed, whatever names and failures hold, and counts them",
    .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
  func report() throws {
    let folder = try TemporaryFolder()
    _ = try folder.writeProject()
    try folder.write("watch_test.lua", Self.tests)
    try folder.write("broken_test.lua", "it(")
    let path = folder.path("report.xml")
    let run = try CommandRun(["test", folder.root, "--format", "junit", "--output", path], in: folder)
    #expect(run.status == 1)
    #expect(run.output == "")
    let python = FeedServer.python ?? ""
    let parsed = try CommandRun(program: python, ["-c", Self.reader, path], in: folder)
    try #require(parsed.status == 0, "\(parsed.errors)\(folder.read(path))")
    let report = try Value(json: parsed.output)
    #expect(report["root"] == .text("testsuites"))
    #expect(report["tests"] == .integer(3))
    #expect(report["failures"] == .integer(2))
    #expect(report["suites"] == .list([.integer(1), .integer(2)]))
    #expect(
      report["names"]
        == .list([
          .text("the file itself"), .text("passes & <is> \"quoted\""), .text("fails with ]]> and \u{fffd}"),
        ]))
    #expect(report["timed"] == .bool(true))
    #expect(report["texts"]?.json.contains("watch_test.lua:8") == true, "\(parsed.output)")
  }

  @Test("a report is not written over a file that is there")
  func existingFile() throws {
    let folder = try TemporaryFolder()
    _ = try folder.writeProject()
    try folder.write("watch_test.lua", Self.tests)
    let path = try folder.write("report.xml", "mine")
    let run = try CommandRun(["test", folder.root, "--format", "junit", "--output", path], in: folder)
    #expect(run.status == 2)
    #expect(run.errors.contains("report.xml"))
    #expect(folder.read(path) == "mine")
  }
}
