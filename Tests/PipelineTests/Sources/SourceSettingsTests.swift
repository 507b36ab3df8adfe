import MQTT
import Scripting
import Testing

@testable import Pipeline

@Suite("Settings of the built-in sources")
struct SourceSettingsTests {
  private static let registry: Registry = {
    var registry = Registry()
    registry.registerSources()
    return registry
  }()

  private static func read<Settings: ComponentSettings>(
    _ type: Settings.Type, _ options: [String: Value]
  ) -> (settings: Settings?, findings: [String]) {
    var validation = FieldValidation(folder: "demo/", fileExists: { $0 != "demo/missing" })
    let call: Value = ["$component": .text(type.spec.constructor), "$line": 7, "$fields": .map(options)]
    let place = Place(file: "config.lua", path: "sources.s")
    let component = validation.component(call, kind: .source, name: "s", registry: registry, at: place)
    return (component.map { type.init(fields: $0.fields) }, validation.findings.sorted.map(\.description))
  }

  @Test("Each source has help that fits a terminal")
  func help() throws {
    #expect(
      Self.registry.specs(of: .source).map(\.name) == [
        "file", "http", "mqtt", "simulated", "sse", "stdin", "websocket",
      ])
    for spec in Self.registry.specs(of: .source) {
      let help = try Self.registry.help(on: "sources.\(spec.name)")
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help)")
    }
  }

  @Test("A websocket needs only its address")
  func websocketDefaults() throws {
    let settings = try #require(Self.read(WebSocketSettings.self, ["url": "wss://example.org"]).settings)
    #expect(try settings.address(resumingAt: nil) { _ in nil } == "wss://example.org")
    #expect(settings.headers.isEmpty && settings.subprotocols.isEmpty && settings.session.opening.isEmpty)
    #expect(settings.ping == .seconds(20) && settings.pingTimeout == .seconds(10))
    #expect(settings.connectTimeout == .seconds(10) && settings.staleAfter == nil)
    #expect(settings.reconnect == ReconnectPolicy(first: .seconds(1), cap: .seconds(60)))
    #expect(settings.maximumMessageBytes == 4_194_304 && !settings.skipsVerification)
    #expect(settings.offersCompression)
    #expect(settings.certificateAuthorityFile == nil && settings.proxy == nil && settings.position == nil)
    #expect(
      settings.machine
        == SourceMachine.Settings(
          connectTimeout: .seconds(10), staleAfter: nil, afterLoss: .reconnect(settings.reconnect)))
  }

  @Test("A websocket takes everything it declares")
  func websocketOptions() throws {
    let result = Self.read(
      WebSocketSettings.self,
      [
        "url": "wss://example.org/feed?from={position}&x=1",
        "headers": ["X-Key": ["$env": "KEY", "$line": 8]],
        "subprotocols": ["v2.feed", "v1.feed"], "open": [["op": "login"], "hello"], "ping": "0s",
        "ping_timeout": "5s", "connect_timeout": "3s", "stale_after": "60s",
        "reconnect": ["enabled": false, "first": "2s", "cap": "30s"],
        "quiet_hours": ["22:00-07:00 Europe/Berlin", "sat-sun"], "max_message_bytes": 1_000,
        "ca_file": "ca.pem", "insecure_skip_verify": true, "client_certificate": "/etc/c.pem",
        "client_key": "c.key", "proxy": "http://proxy:3128", "position": "data.seq", "first_position": "0",
      ])
    #expect(result.findings.isEmpty)
    let settings = try #require(result.settings)
    #expect(try settings.headers["X-Key"]?.resolve { $0 == "KEY" ? "k" : nil } == "k")
    #expect(settings.subprotocols == ["v2.feed", "v1.feed"])
    #expect(try settings.session.opening.map { try $0.resolve { _ in nil } } == [["op": "login"], "hello"])
    #expect(settings.ping == nil && settings.staleAfter == .seconds(60))
    #expect(settings.machine.afterLoss == .stayIdle)
    #expect(!settings.machine.quietHours.isEmpty)
    #expect(settings.certificateAuthorityFile == "demo/ca.pem" && settings.clientCertificate == "/etc/c.pem")
    #expect(settings.position == ["data", "seq"])
    #expect(try settings.address(resumingAt: nil) { _ in nil } == "wss://example.org/feed?from=0&x=1")
    #expect(try settings.address(resumingAt: "41") { _ in nil } == "wss://example.org/feed?from=41&x=1")
  }

  @Test("A position can't change the rest of the address")
  func hostilePosition() throws {
    let options: [String: Value] = ["url": "ws://example.org/?from={position}", "position": "seq"]
    let settings = try #require(Self.read(WebSocketSettings.self, options).settings)
    #expect(
      try settings.address(resumingAt: "1&a=b#/\r\n é") { _ in nil }
        == "ws://example.org/?from=1%26a%3Db%23%2F%0D%0A%20%C3%A9")
  }

  @Test(
    "What doesn't fit together is reported",
    arguments: [
      (
        ["url": "ws://a/?x={position}"],
        ".url: {position} needs the option 'position', which names the message field that holds it"
      ),
      (["position": "data..seq"], ".position: expected names with dots between, got \"data..seq\""),
      (["position": ""], ".position: expected names with dots between, got \"\""),
      (["headers": ["X Key": "k"]], ".headers: the header \"X Key\" can't be set"),
      (["headers": ["Sec-WebSocket-Key": "k"]], ".headers: the header \"Sec-WebSocket-Key\" can't be set"),
      (["headers": ["upgrade": "k"]], ".headers: the header \"upgrade\" can't be set"),
      (["headers": ["X-Key": "hunter2\r\nHost: x"]], ".headers: the header X-Key holds a control character"),
      (["subprotocols": ["a", "b c"]], ".subprotocols[2]: expected a name without blanks, got \"b c\""),
      (["reconnect": ["first": "2m"]], ".reconnect.first: expected at most the cap of 1m, got \"2m\""),
      (
        ["client_key": "k.pem"],
        ".client_certificate: expected both 'client_certificate' and 'client_key', got one"
      ),
      (
        ["quiet_hours": ["sun", "someday"]],
        ".quiet_hours[2]: expected hours such as \"16:00-09:30 America/New_York\", days such as \"sat-sun\" or "
          + "a date such as \"2026-12-25\", got \"someday\""
      ),
      (["heartbeat": ["every": "1s"]], ".heartbeat: expected 'send', 'expect' or both, got neither"),
      (["ca_file": "missing"], ".ca_file: there is no file \"demo/missing\""),
      (
        ["connect_timeout": "0s"],
        ".connect_timeout: expected a duration such as \"10s\" between 1ms and 1d, got \"0s\""
      ),
      (["pign": "1s"], ".pign: unknown option of source.websocket; did you mean 'ping'?"),
    ] as [([String: Value], String)])
  func websocketFaults(options: [String: Value], finding: String) {
    let options = options.merging(["url": "ws://example.org"]) { given, _ in given }
    let result = Self.read(WebSocketSettings.self, options)
    #expect(result.settings == nil)
    #expect(result.findings == ["config.lua:7: sources.s" + finding])
  }

  @Test("A simulated feed has the defaults of its type, and symbols by kind")
  func simulated() throws {
    #expect(Self.read(SimulatedSettings.self, [:]).settings == SimulatedSettings())
    #expect(
      Self.read(SimulatedSettings.self, ["kind": "trades"]).settings?.symbols == [
        "BTCUSDT", "ETHUSDT", "SOLUSDT",
      ])
    let options: [String: Value] = [
      "kind": "trades", "symbols": ["BTC/EUR"], "seed": -5, "rate": 100.5, "price": 3, "volatility": 0,
      "count": 7,
    ]
    #expect(
      Self.read(SimulatedSettings.self, options).settings
        == SimulatedSettings(
          kind: .trades, symbols: ["BTC/EUR"], seed: -5, rate: 100.5, price: 3, volatility: 0, count: 7))
  }

  @Test(
    "A symbol that would break the JSON is refused", arguments: ["", "a\"b", "a\\b", "a b", "ä", "a\u{0}"])
  func symbols(symbol: String) {
    let findings = Self.read(SimulatedSettings.self, ["symbols": ["ok", .text(symbol)]]).findings
    #expect(findings.count == 1)
    #expect(
      findings.first?.hasPrefix("config.lua:7: sources.s.symbols[2]: expected up to 32 letters") == true)
  }

  @Test("A poll has the method and jitter that fit its other options")
  func http() throws {
    let plain = try #require(Self.read(HTTPSettings.self, ["url": "https://example.org/a"]).settings)
    #expect(plain.method == "GET" && plain.body == nil && !plain.sendsUnchanged)
    #expect(plain.every == .seconds(60) && plain.jitter == .seconds(6) && plain.timeout == .seconds(30))
    let posted = try #require(
      Self.read(
        HTTPSettings.self,
        ["url": "http://a", "every": "5s", "jitter": "0s", "body": ["q": 1], "unchanged": "send"]
      ).settings)
    #expect(posted.method == "POST" && posted.jitter == .zero && posted.sendsUnchanged)
    #expect(try posted.body?.text { _ in nil } == #"{"q":1}"#)
  }

  @Test("A stream of events takes what it declares")
  func eventStream() throws {
    let options: [String: Value] = [
      "url": "https://example.org/events", "events": ["trade"], "idle_timeout": "45s", "stale_after": "10m",
      "headers": ["Authorization": ["$env": "KEY", "$line": 8]], "reconnect": ["enabled": false],
    ]
    let settings = try #require(Self.read(EventStreamSettings.self, options).settings)
    #expect(settings.events == ["trade"] && settings.idleTimeout == .seconds(45))
    #expect(
      settings.machine
        == SourceMachine.Settings(
          connectTimeout: .seconds(10), staleAfter: .minutes(10), afterLoss: .stayIdle))
  }

  @Test("A broker's address has the port of its scheme unless it names one")
  func broker() throws {
    for (url, host, port, isSecure) in [
      ("mqtt://example.org", "example.org", 1_883, false),
      ("mqtts://example.org", "example.org", 8_883, true),
      ("mqtts://example.org:443", "example.org", 443, true), ("mqtt://[::1]:80/", "::1", 80, false),
    ] {
      let options: [String: Value] = ["url": .text(url), "topics": ["a/#"], "qos": 2]
      let connection = try #require(Self.read(MQTTSettings.self, options).settings).connection()
      #expect(connection.host == host && connection.port == port && connection.isSecure == isSecure)
      #expect(connection.subscriptions == [.init("a/#", .exactlyOnce)] && connection.isClean)
    }
  }

  @Test(
    "What doesn't fit together in a poll, a stream or a broker is reported",
    arguments: [
      (
        "http", ["method": "GET", "body": "x"],
        ".method: expected \"POST\" or \"PUT\" beside 'body', got \"GET\""
      ),
      ("http", ["headers": ["If-None-Match": "a"]], ".headers: the header \"If-None-Match\" can't be set"),
      (
        "http", ["every": "10ms"],
        ".every: expected a duration such as \"10s\" between 100ms and 7d, got \"10ms\""
      ),
      ("sse", ["headers": ["last-event-id": "a"]], ".headers: the header \"last-event-id\" can't be set"),
      (
        "sse", ["client_key": "k.pem"],
        ".client_certificate: expected both 'client_certificate' and 'client_key', got one"
      ),
      ("mqtt", ["topics": []], ".topics: expected one topic at least, got none"),
      (
        "mqtt", ["topics": ["a/#/b"]],
        ".topics[1]: expected a topic in which + and # stand for whole levels, # for the last one, got \"a/#/b\""
      ),
      (
        "mqtt", ["session": "durable"],
        ".client_id: a durable session needs a name by which the broker knows it again"
      ),
      ("mqtt", ["password": "hunter2"], ".password: a password needs 'username' beside it"),
      ("mqtt", ["will": ["topic": "a/+"]], ".will.topic: expected a topic without + and #, got \"a/+\""),
      ("mqtt", ["keepalive": "5500ms"], ".keepalive: expected whole seconds, got \"5500ms\""),
      (
        "mqtt", ["url": "mqtt://me:hunter2@a"],
        ".url: expected no user in the address; give it as 'username' and 'password'"
      ),
      (
        "mqtt", ["url": "mqtt://a/topic"],
        ".url: expected nothing behind the port; what to receive is said by 'topics'"
      ),
      (
        "mqtt", ["reconnect": ["first": "2m"]], ".reconnect.first: expected at most the cap of 1m, got \"2m\""
      ),
    ] as [(String, [String: Value], String)])
  func webFaults(kind: String, options: [String: Value], finding: String) {
    var all: [String: Value] =
      kind == "mqtt" ? ["url": "mqtt://a", "topics": ["a"]] : ["url": "http://example.org"]
    all.merge(options) { _, given in given }
    let findings =
      switch kind {
      case "http": Self.read(HTTPSettings.self, all).findings
      case "sse": Self.read(EventStreamSettings.self, all).findings
      default: Self.read(MQTTSettings.self, all).findings
      }
    #expect(findings == ["config.lua:7: sources.s" + finding])
  }

  @Test("Only a file that is followed may be missing, be read from its end, and be stale")
  func followedFiles() {
    let followed: [String: Value] = [
      "path": "missing", "follow": true, "read_from": "end", "stale_after": "5m",
    ]
    #expect(
      Self.read(FileSettings.self, followed).settings
        == FileSettings(path: "demo/missing", follows: true, startsAtEnd: true, staleAfter: .minutes(5)))
    let plain = followed.merging(["follow": false]) { _, given in given }
    #expect(
      Self.read(FileSettings.self, plain).findings.map { $0.prefix { $0 != ";" && $0 != "," } } == [
        "config.lua:7: sources.s.path: there is no file \"demo/missing\"",
        "config.lua:7: sources.s.read_from: \"end\" needs follow = true",
        "config.lua:7: sources.s.stale_after: needs follow = true: a file that is read to its end is never silent",
      ])
  }

  @Test("Files are taken from the folder of the configuration and must exist")
  func files() {
    #expect(
      Self.read(FileSettings.self, ["path": "a.ndjson"]).settings == FileSettings(path: "demo/a.ndjson"))
    #expect(Self.read(FileSettings.self, ["path": "/a"]).settings == FileSettings(path: "/a"))
    #expect(
      Self.read(FileSettings.self, ["path": "missing"]).findings
        == ["config.lua:7: sources.s.path: there is no file \"demo/missing\""])
    #expect(
      Self.read(FileSettings.self, [:]).findings
        == [
          "config.lua:7: sources.s.path: missing; source.file needs the path of a file, "
            + "for example path = \"prices.ndjson\""
        ])
    #expect(
      Self.read(StdinSettings.self, ["max_message_bytes": 5]).settings
        == StdinSettings(maximumMessageBytes: 5))
  }
}
