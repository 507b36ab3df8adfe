import Scripting
import Testing

@testable import Pipeline

@Suite("Reading options against their declaration")
struct FieldValidationTests {
  @Test("Absent options take their defaults, and those without one are absent")
  func defaults() throws {
    let fields = try #require(DemoSource.read([:]).fields)
    #expect(fields.integer("count") == 10)
    #expect(fields.number("ratio") == 0.5)
    #expect(fields.boolean("verify"))
    #expect(fields.duration("ping") == .seconds(20))
    #expect(fields.integer("buffer") == 65_536)
    #expect(fields.group("reconnect").duration("cap") == .minutes(1))
    #expect(fields.text("mode") == "fast")
    #expect(fields.optionalText("label") == nil)
    #expect(fields.optionalSecret("token") == nil)
    #expect(fields.texts("protocols").isEmpty)
    #expect(fields.secretMap("headers").isEmpty)
  }

  @Test("Given options are read in the type that was declared")
  func given() throws {
    let result = DemoSource.read([
      "label": "x", "count": 7, "ratio": 1, "verify": false, "ping": "500s", "buffer": "16KB",
      "protocols": ["a", "b"], "headers": ["X-Key": "k"], "reconnect": ["first": "2s"], "mode": "careful",
      "fallback": "screen", "token": "t", "open": [["op": "subscribe"], "hello"], "extra": ["a": [1]],
      "certificate": "ca.pem",
    ])
    #expect(result.findings.isEmpty)
    let fields = try #require(result.fields)
    #expect(fields.text("label") == "x")
    #expect(fields.integer("count") == 7)
    #expect(fields.number("ratio") == 1)
    #expect(!fields.boolean("verify"))
    #expect(fields.duration("ping") == .seconds(500))
    #expect(fields.integer("buffer") == 16_000)
    #expect(fields.texts("protocols") == ["a", "b"])
    #expect(try fields.secretMap("headers")["X-Key"]?.resolve { _ in nil } == "k")
    #expect(fields.group("reconnect").duration("first") == .seconds(2))
    #expect(fields.group("reconnect").duration("cap") == .seconds(60))
    #expect(fields.text("fallback") == "screen")
    #expect(
      try fields.messages("open").map { try $0.resolve { _ in nil } } == [["op": "subscribe"], "hello"])
    #expect(fields.value("extra") == ["a": [1]])
    #expect(fields.text("certificate") == "demo/ca.pem")
  }

  @Test(
    "A fault names file, line, path, what was expected and what was found",
    arguments: [
      ("url", "htp://x", "expected a ws:// or wss:// URL, got \"htp://x\""),
      ("url", 5, "expected a ws:// or wss:// URL, got an integer"),
      ("label", 5, "expected a text, got 5"),
      ("label", true, "expected a text, got true"),
      ("label", .null, "expected a text, got null"),
      ("count", 0, "expected an integer between 1 and 100, got 0"),
      ("count", 1.5, "expected an integer between 1 and 100, got 1.5"),
      ("count", "7", "expected an integer between 1 and 100, got \"7\""),
      ("ratio", .number(.nan), "expected a number between 0 and 1, got nan"),
      ("verify", "yes", "expected true or false, got \"yes\""),
      (
        "ping", 20,
        "expected a duration such as \"10s\" between 1s and 1h, got 20; write the unit, such as \"20s\" for seconds"
      ),
      ("ping", "20", "expected a duration with its unit, got \"20\"; write \"20s\" for seconds"),
      ("ping", "2\n", "expected a duration such as \"10m\", got \"2\\n\"; the units are ms, s, m, h and d"),
      ("ping", "2h", "expected a duration such as \"10s\" between 1s and 1h, got \"2h\""),
      ("buffer", "2MB", "expected a size such as \"16MB\" between 1KB and 1MB, got \"2MB\""),
      ("protocols", "a", "expected a list, got \"a\""),
      ("protocols", ["a": "b"], "expected a list, got a map"),
      ("headers", ["a"], "expected a table of named values, got a list"),
      ("reconnect", "1s", "expected a table of named values, got \"1s\""),
      ("mode", "fats", "expected \"fast\" or \"careful\", got \"fats\"; did you mean \"fast\"?"),
      ("fallback", "scren", "unknown channel 'scren'; did you mean 'screen'?"),
      ("fallback", "mail", "unknown channel 'mail'; known: phone, screen"),
      ("token", 12_345, "expected a text or env \"NAME\", got an integer"),
      ("certificate", "no.pem", "there is no file \"demo/no.pem\""),
      ("extra", .number(.infinity), "expected a number that JSON can hold, got inf"),
    ] as [(String, Value, String)])
  func faults(option: String, value: Value, message: String) {
    let result = DemoSource.read([option: value])
    #expect(result.fields == nil)
    #expect(result.findings == ["config.lua:12: sources.btc.\(option): \(message)"])
  }

  @Test("Elements and members are named one by one, elements counted from 1")
  func nestedPlaces() {
    let result = DemoSource.read([
      "protocols": ["a", 2, "c", false], "reconnect": ["first": 1], "headers": ["X-Key": 3],
    ])
    #expect(
      result.findings == [
        "config.lua:12: sources.btc.headers.X-Key: expected a text or env \"NAME\", got an integer",
        "config.lua:12: sources.btc.protocols[2]: expected a text, got 2",
        "config.lua:12: sources.btc.protocols[4]: expected a text, got false",
        "config.lua:12: sources.btc.reconnect.first: expected a duration such as \"10s\" between 1ms and 1h, "
          + "got 1; write the unit, such as \"1s\" for seconds",
      ])
  }

  @Test("An unknown option is reported with the nearest known one, or else with all of them")
  func unknownOptions() {
    let result = DemoSource.read(["urll": "x", "reconnect": ["capp": "1s", "whatever": 1]])
    #expect(
      result.findings == [
        "config.lua:12: sources.btc.reconnect.capp: unknown option of reconnect of source.demo; "
          + "did you mean 'cap'?",
        "config.lua:12: sources.btc.reconnect.whatever: unknown option of reconnect of source.demo; "
          + "known: cap, first",
        "config.lua:12: sources.btc.urll: unknown option of source.demo; did you mean 'url'?",
      ])
  }

  @Test("A missing option says what it needs, with an example")
  func missing() {
    var validation = FieldValidation()
    let place = Place(file: "config.lua", path: "sources.btc")
    let fields = validation.fields(.map([:]), specs: DemoSource.spec.fields, owner: "source.demo", at: place)
    #expect(fields == nil)
    #expect(
      validation.findings.description
        == "config.lua: sources.btc.url: missing; source.demo needs a ws:// or wss:// URL, "
        + "for example url = \"wss://example.org/feed\"")
  }

  @Test("A table knows its own line where one is given, and what is inside uses the nearest")
  func lines() {
    let result = DemoSource.read(["reconnect": ["$line": 20, "first": 1], "label": 1])
    #expect(result.findings.map { $0.prefix(14) } == ["config.lua:12:", "config.lua:20:"])
  }

  @Test("An empty Lua table is an empty list and an empty table of names alike")
  func emptyTables() throws {
    let result = DemoSource.read(["protocols": [:], "headers": [], "reconnect": [], "open": [:]])
    #expect(result.findings.isEmpty)
    #expect(result.fields?.texts("protocols") == [])
    #expect(result.fields?.group("reconnect").duration("first") == .seconds(1))
  }

  @Test("A whole number that came out of Lua arithmetic is an integer")
  func wholeNumbers() {
    #expect(DemoSource.read(["count": 5.0]).fields?.integer("count") == 5)
  }

  @Test("Faults between options are looked for once each option alone is fine")
  func faultsBetweenOptions() {
    let reconnect: Value = ["first": "2m", "cap": "1m"]
    #expect(
      DemoSource.read(["reconnect": reconnect]).findings
        == ["config.lua:12: sources.btc.reconnect.first: expected at most the 'cap'"])
    #expect(DemoSource.read(["reconnect": reconnect, "label": 1]).findings.count == 1)
  }

  @Test("A variable stands only where a secret can, and a component nowhere inside")
  func misplacedReferences() {
    let component: Value = ["$component": "channel.console", "$line": 13, "$fields": [:]]
    let result = DemoSource.read([
      "label": DemoSource.env("A"), "extra": ["x": component], "open": [component],
    ])
    #expect(
      result.findings == [
        "config.lua:13: sources.btc.extra.x: expected plain data, got a channel.console",
        "config.lua:13: sources.btc.open[1]: expected plain data, got a channel.console",
        "config.lua:14: sources.btc.label: expected a text, got env \"A\"; "
          + "only secret texts and URLs can come from env",
      ])
  }

  @Test("A message nested without end is refused")
  func deepNesting() {
    var deep: Value = 1
    for _ in 0..<150 { deep = [deep] }
    let findings = DemoSource.read(["extra": deep]).findings
    #expect(findings.count == 1)
    #expect(findings.first?.hasSuffix("expected at most 100 tables inside one another") == true)
  }

  @Test("Line breaks and control characters of names and values never reach the terminal")
  func escapes() {
    let result = DemoSource.read(["a\u{1b}[2Jname": 1, "label": ["x"], "mode": "a\nb\u{7}\u{9b}"])
    #expect(result.findings.allSatisfy { !$0.utf8.contains { $0 < 0x20 } })
    #expect(result.findings.contains { $0.contains("\"a\\nb\\u{7}\\u{9b}\"") })
  }
}
