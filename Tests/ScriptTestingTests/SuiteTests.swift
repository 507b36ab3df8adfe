import ScriptTesting
import Testing

@Suite("Test files and their report")
struct SuiteTests {
  @Test("each test has a machine, a state and a clock of its own")
  func isolation() async throws {
    let body = """
      local t = test.script("alert.lua")
      local count = 0
      for i = 1, 2 do
        it("test " .. i, function()
          count = count + 1
          if count ~= 1 then error("state leaked") end
          t.state { price = json.null, high = 0 }
          t.receive("price", { bitcoin = 5 })  t.state { price = 5.0, high = 5.0 }
          t.advance("1h")                      t.nothing()
        end)
      end
      """
    let (report, text) = try await TestFolder().run(body)
    #expect(report.exitStatus == 0, "\(text)")
    #expect(report.summary == "2 passed, 0 failed")
    #expect(text == "case_test.lua\n  pass  test 1\n  pass  test 2\n2 passed, 0 failed\n")
  }

  @Test("an empty file, an empty test and a test without a claim fail")
  func empty() async throws {
    let file = try await TestFolder().run("-- nothing\n")
    #expect(file.0.exitStatus == 1)
    #expect(file.text.contains("case_test.lua: the file has no test; write it("))
    let test = try await TestFolder().run("it(\"works\", function() end)")
    #expect(test.0.exitStatus == 1)
    #expect(test.text.contains("case_test.lua:1: the test claims nothing, so it can't fail"))
    let start = try await TestFolder().run(TestFolder.test("t.advance(\"1s\")"))
    #expect(start.text.contains("the test claims nothing"))
  }

  @Test("faults of the test file and of the script appear with their place")
  func faults() async throws {
    let syntax = try await TestFolder().run("it(\"works\", function()\n  = 1\nend)")
    #expect(syntax.text.contains("case_test.lua:2: unexpected symbol near '='"), "\(syntax.text)")
    let raised = try await TestFolder().run(TestFolder.test("local x = nil\nx.y = 1"))
    #expect(
      raised.text.contains("case_test.lua:4: attempt to index a nil value (local 'x')"), "\(raised.text)")
    #expect(raised.text.contains("> 4 | x.y = 1"))
    let script = try await TestFolder().run(
      TestFolder.test("t.nothing()"), script: "local M = {}\nM.on = = {}\n")
    #expect(script.text.contains("case_test.lua:1: test.script: can't load the script: "), "\(script.text)")
    #expect(script.text.contains("alert.lua:2: unexpected symbol near '='"), "\(script.text)")
    let option = try await TestFolder().run(TestFolder.test("t.nothing()", options: "{ parms = {} }"))
    #expect(
      option.text.contains("test.script: unknown option 'parms'; known: from, now, params"), "\(option.text)")
  }

  @Test("a verb outside of a test is refused")
  func outside() async throws {
    let (report, text) = try await TestFolder().run(
      "local t = test.script(\"alert.lua\")\nt.advance(\"1s\")\n")
    #expect(report.exitStatus == 1)
    #expect(text.contains("case_test.lua:2: t.advance: stands outside of a test"), "\(text)")
  }

  @Test("a test that catches a claim's error fails all the same")
  func caught() async throws {
    let (report, text) = try await TestFolder().run(
      TestFolder.test("pcall(t.state, { price = 1.0 })\nt.state { high = 0 }"))
    #expect(report.exitStatus == 1)
    #expect(text.contains("price: expected 1.0, got json.null"), "\(text)")
  }

  @Test("an error in a series names the test's own line")
  func seriesPlace() async throws {
    let ticks = try await TestFolder().run(
      TestFolder.test("t.series(\"price\", function(n) return { n } end, \"1 +\")"))
    #expect(
      ticks.text.contains("case_test.lua:3: t.series: expected a number, +n, -n, _ or stale"), "\(ticks.text)"
    )
    let message = try await TestFolder().run(
      TestFolder.test(
        "t.series(\"price\", function(n)\n  return { n = print } end, \"1\")\nt.series(\"price\", 1, \"1\")"))
    #expect(message.0.exitStatus == 1)
    let nothing = try await TestFolder().run(TestFolder.test("t.series(\"price\", function() end, \"1\")"))
    #expect(nothing.text.contains("case_test.lua:3: t.series: expected a message"), "\(nothing.text)")
  }

  @Test("folders are searched in order, and a path that is not there is reported")
  func paths() async throws {
    let folder = try TestFolder()
    try folder.write("alert.lua", TestFolder.priceAlert)
    for name in ["b_test.lua", "a_test.lua", "c/d_test.lua", "notes.lua"] {
      try folder.write(
        name,
        "it(\"x\", function() test.script(\"\(name.hasPrefix("c/") ? "../" : "")alert.lua\").nothing() end)")
    }
    let (report, text) = try await folder.run()
    #expect(report.exitStatus == 0, "\(text)")
    #expect(
      report.files.map(\.path) == ["a_test.lua", "b_test.lua", "c/d_test.lua"].map { "\(folder.path)/\($0)" })
    let missing = await TestSuite.run(files: ["\(folder.path)/none"])
    #expect(missing.exitStatus == 2)
    #expect(missing.text.contains("there is no file or folder"))
    let bare = await TestSuite.run(files: [try TestFolder().path])
    #expect(bare.exitStatus == 2)
  }

  @Test("JUnit's form escapes what a test says")
  func junit() async throws {
    let (report, _) = try await TestFolder().run(
      "it(\"a < b & \\\"c\\\"\", function() error(\"x > y\") end)\nit(\"fine\", function() test.script(\"alert.lua\").nothing() end)"
    )
    let xml = report.junit
    #expect(
      xml.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"2\" failures=\"1\">\n"))
    #expect(xml.contains("name=\"a &lt; b &amp; &quot;c&quot;\" time=\"0."))
    #expect(xml.contains("<failure message=\"x &gt; y\">"))
    #expect(xml.contains("name=\"fine\" time=\"0."))
  }
}
