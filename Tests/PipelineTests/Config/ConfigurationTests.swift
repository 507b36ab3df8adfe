import Scripting
import Testing

@testable import Pipeline

@Suite("Reading a configuration")
struct ConfigurationTests {
  private static let registry: Registry = {
    var registry = Registry()
    registry.register(DemoSource.spec) { $0 }
    registry.register(HeartbeatSettings.self)
    for (kind, name) in [(ComponentKind.channel, "console"), (.storage, "sqlite")] {
      registry.register(
        ComponentSpec(
          kind: kind, name: name, summary: "A part",
          fields: [FieldSpec("file", .file(mustExist: false), help: "A file")],
          example: "x")
      ) { $0 }
    }
    return registry
  }()

  private static func call(_ component: String, _ line: Int64, _ fields: Value = [:]) -> Value {
    ["$component": .text(component), "$line": .integer(line), "$fields": fields]
  }

  /// A good configuration of one source, script and channel, changed by the test.
  private static func read(
    _ changes: [String: Value] = [:], needsScripts: Bool = true
  ) -> (configuration: Configuration?, findings: [String]) {
    let sections: [String: Value] = [
      "sources": ["btc": call("source.demo", 3, ["url": "ws://example.org"])],
      "scripts": ["watch": ["file": "watch.lua", "from": ["price": "btc"]]],
      "channels": ["screen": call("channel.console", 8)],
      "routes": [["to": ["screen"]]],
      "storage": call("storage.sqlite", 11, ["file": "btc.db"]),
    ]
    let (configuration, findings) = Configuration.read(
      .map(sections.merging(changes) { _, change in change }), file: "demo/config.lua", registry: registry,
      needsScripts: needsScripts, fileExists: { $0 == "demo/watch.lua" })
    return (configuration, findings.sorted.map(\.description))
  }

  @Test("A heartbeat takes no alerts: it isn't among the channels of alerts, and no route can name it")
  func heartbeat() throws {
    let channels: Value = [
      "screen": Self.call("channel.console", 8),
      "alive": Self.call("channel.heartbeat", 9, ["url": "https://example.org"]),
    ]
    let configuration = try #require(Self.read(["channels": channels]).configuration)
    #expect(configuration.channels.count == 2 && configuration.alertChannels == ["screen"])
    let (none, findings) = Self.read(["channels": channels, "routes": [["to": ["alive"]]]])
    #expect(
      none == nil && findings.count == 1 && findings[0].contains("unknown channel 'alive'"), "\(findings)")
  }

  @Test("A good configuration arrives whole")
  func good() throws {
    let result = Self.read([
      "scripts": [
        "watch": [
          "file": "watch.lua", "from": ["price": "btc", "bars": "maker.bars"], "params": ["level": 70_000],
          "limits": ["memory": "32MB"], "outputs": ["log": "screen", "back": "btc"],
        ],
        "maker": ["file": "watch.lua", "from": ["btc"]],
      ]
    ])
    #expect(result.findings.isEmpty)
    let configuration = try #require(result.configuration)
    #expect(configuration.sources["btc"]?.spec.constructor == "source.demo")
    #expect(configuration.sources["btc"]?.place.description == "demo/config.lua:3: sources.btc")
    #expect(configuration.channels.keys.sorted() == ["screen"])
    #expect(configuration.storage?.fields.text("file") == "demo/btc.db")
    #expect(configuration.routes == [["to": ["screen"]]])
    #expect(configuration.scriptOrder == ["maker", "watch"])
    let watch = try #require(configuration.scripts["watch"])
    #expect(watch.file == "watch.lua" && watch.path == "demo/watch.lua")
    #expect(watch.inputs == ["price": .source("btc"), "bars": .topic(script: "maker", topic: "bars")])
    #expect(watch.parameters == ["level": 70_000])
    #expect(watch.outputs == ["log": "screen", "back": "btc"])
    #expect(watch.limits.memory == 32_000_000 && watch.limits.steps == 5_000_000)
    #expect(configuration.scripts["maker"]?.inputs == ["btc": .source("btc")])
    #expect(configuration.scripts["maker"]?.limits == .standard)
  }

  @Test("The limits have the documented defaults")
  func limits() {
    let limits = ScriptLimits.standard
    #expect(limits.steps == 5_000_000 && limits.time == .seconds(1) && limits.memory == 16 << 20)
    #expect(limits.stateSize == 1 << 20 && limits.totalStateSize == 256 << 20)
    #expect(limits.effects == 1_000 && limits.logBytes == 65_536 && limits.nesting == 512)
    #expect(limits.machine == MachineLimits())
  }

  @Test("Storage, channels and routes may be left out")
  func least() {
    let sections: Value = [
      "sources": ["btc": Self.call("source.demo", 3, ["url": "ws://example.org"])],
      "scripts": ["watch": ["file": "watch.lua"]],
    ]
    let (configuration, findings) = Configuration.read(
      sections, file: "config.lua", registry: Self.registry, fileExists: { $0 == "watch.lua" })
    #expect(findings.isEmpty)
    #expect(configuration?.storage == nil && configuration?.routes == [])
  }

  @Test(
    "Each fault names its place and what to do",
    arguments: [
      ("source", [:], ": source: unknown section; did you mean 'sources'?"),
      (
        "sources", [:],
        ": sources: expected at least one source, got none; add one such as feed = source.simulated {}"
      ),
      ("sources", "btc", ": sources: expected a table of named sources, got \"btc\""),
      (
        "scripts", [],
        ": scripts: expected at least one script, got none; add one such as watch = { file = \"watch.lua\", from = { \"feed\" } }"
      ),
      (
        "scripts", ["watch": ["from": ["btc"]]],
        ": scripts.watch: expected 'file', the script, or 'plugin', the folder of one; add file = \"alert.lua\""
      ),
      (
        "scripts", ["watch": ["file": "watch.lua", "plugin": "high"]],
        ": scripts.watch: expected either 'file' or 'plugin', got both; remove one"
      ),
      (
        "scripts", ["watch": ["plugin": "high/"]],
        ": scripts.watch.plugin: there is no plugin in this folder: expected the file "
          + "\"demo/high/plugin.lua\"; 'pipeline new --plugin DIR' makes one"
      ),
      (
        "scripts", ["watch": "watch.lua"],
        ": scripts.watch: expected a table of options for a script, got \"watch.lua\""
      ),
      (
        "scripts", ["watch": ["file": "wacth.lua"]],
        ": scripts.watch.file: there is no file \"demo/wacth.lua\"; create it or correct the name"
      ),
      (
        "scripts", ["a b": ["file": "watch.lua"]],
        ": scripts.a b: expected a name of up to 64 letters, digits, '_' and '-', got \"a b\""
      ),
      (
        "channels", ["a.b": call("channel.console", 8)],
        ":8: channels.a.b: expected a name of up to 64 letters, digits, '_' and '-', got \"a.b\""
      ),
      ("storage", call("channel.console", 8), ":8: storage: expected a storage, got a channel.console"),
      ("routes", ["to": "screen"], ": routes: expected a list of routes, got a map"),
      (
        "routes", [["min_severity": "info"]],
        ": routes[1].to: missing; a route needs the names of its channels, or {} to drop"
      ),
      (
        "routes", [["to": []], ["to": ["scren"]]],
        ": routes[2].to[1]: unknown channel 'scren'; did you mean 'screen'?"
      ),
      ("routes", [["to": "screen"]], ": routes[1].to: expected a list, got \"screen\""),
    ] as [(String, Value, String)])
  func faults(section: String, value: Value, finding: String) {
    var findings = Self.read([section: value]).findings
    // A configuration without its channel or source has further faults that are not the point here.
    if section == "channels" || section == "sources" { findings.removeAll { $0.contains("unknown ") } }
    #expect(findings == ["demo/config.lua" + finding])
  }

  @Test(
    "Inputs are checked against sources and scripts",
    arguments: [
      (["price": "btcc"], ".price: unknown source 'btcc'; did you mean 'btc'?"),
      (
        ["price": "watch"],
        ".price: unknown source 'watch'; a script is named with its topic, as in \"watch.topic\""
      ),
      (["price": "makr.bars"], ".price: unknown script 'makr' in \"makr.bars\"; did you mean 'maker'?"),
      (["price": "maker."], ".price: expected a topic after the dot, got \"maker.\""),
      (["price": 5], ".price: expected the name of a source or a topic such as \"script.topic\", got 5"),
      (["btc", "btc"], "[2]: the input 'btc' is given twice; name them as in { a = \"btc\" }"),
      (["eth"], "[1]: unknown source 'eth'; known: btc"),
      ("btc", ": expected a table of sources, for example { \"btc\" }, got \"btc\""),
      (["a.b": "btc"], ".a.b: expected a name of up to 64 letters, digits, '_' and '-', got \"a.b\""),
    ] as [(Value, String)])
  func inputs(from: Value, finding: String) {
    let result = Self.read([
      "scripts": ["watch": ["file": "watch.lua", "from": from], "maker": ["file": "watch.lua"]]
    ])
    #expect(result.findings == ["demo/config.lua: scripts.watch.from" + finding])
  }

  @Test("An output leads to a channel or a source")
  func outputs() {
    let result = Self.read(["scripts": ["watch": ["file": "watch.lua", "outputs": ["log": "scren"]]]])
    #expect(
      result.findings == [
        "demo/config.lua: scripts.watch.outputs.log: unknown channel or source 'scren'; did you mean 'screen'?"
      ])
  }

  @Test("Every fault is reported at once, sorted by place")
  func allAtOnce() {
    let result = Self.read([
      "sources": ["btc": Self.call("source.demo", 3, ["url": "htp://x", "urll": 1])],
      "scripts": ["watch": ["file": "no.lua", "from": ["bct"], "limits": ["step": 1]]],
      "extra": 1,
    ])
    #expect(result.configuration == nil)
    #expect(
      result.findings.map { $0.split(separator: " ", maxSplits: 2).prefix(2).joined(separator: " ") } == [
        "demo/config.lua: extra:", "demo/config.lua: scripts.watch.limits.step:",
        "demo/config.lua:3: sources.btc.url:",
        "demo/config.lua:3: sources.btc.urll:",
      ])
  }

  @Test("Scripts that feed each other in a circle are named in their order")
  func circles() {
    let result = Self.read([
      "scripts": [
        "a": ["file": "watch.lua", "from": ["x": "c.t"]], "b": ["file": "watch.lua", "from": ["x": "a.t"]],
        "c": ["file": "watch.lua", "from": ["x": "b.t"]],
        "d": ["file": "watch.lua", "from": ["x": "d.t", "y": "c.t"]],
        "e": ["file": "watch.lua", "from": ["x": "c.t"]],
      ]
    ])
    #expect(
      result.findings == [
        "demo/config.lua: scripts.a.from: scripts feed each other in a circle: a → b → c → a; "
          + "take one of these out of its 'from'",
        "demo/config.lua: scripts.d.from: scripts feed each other in a circle: d → d; "
          + "take one of these out of its 'from'",
      ])
  }

  @Test("A source can be looked at before there is a script")
  func withoutScripts() {
    #expect(Self.read(["scripts": [:]], needsScripts: false).configuration != nil)
  }

  @Test("A file that returns no table says what it should return", arguments: [nil, 5, ["a"]] as [Value])
  func noTable(value: Value) {
    let (configuration, findings) = Configuration.read(
      value, file: "config.lua", registry: Self.registry, fileExists: { _ in true })
    #expect(configuration == nil)
    #expect(
      findings.description.hasPrefix(
        "config.lua: expected the file to return a table of sources, scripts and channels, got "))
  }
}
