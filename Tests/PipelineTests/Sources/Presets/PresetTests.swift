import Scripting
import TestPeers
import Testing

@testable import Pipeline

@Suite("Presets of public feeds")
struct PresetTests {
  private static let presets = Registry.builtIn.presets

  @Test(arguments: presets.map(\.name))
  func `a preset stands for exactly the options of its fixture`(name: String) throws {
    let preset = try #require(Registry.builtIn.preset(name))
    let fixture = try PresetTrial.fixture("\(name).lua")
    let file = ScriptFile(name: "\(name).lua", source: "return { \(fixture) }")
    let written = try ConfigurationFile.evaluate(file, registry: .builtIn)["feed"]
    #expect(written?["$component"]?.text == "source.\(preset.base)")
    #expect(preset.expandedExample.map { Value.map($0) } == written?["$fields"])
    // It is read without a fault, as the example of its help is.
    let (component, findings) = try PresetTrial.component(preset.use)
    #expect(findings == [])
    #expect(component?.spec.constructor == "source.websocket")
  }

  @Test(arguments: presets.map(\.name))
  func `what a server says is answered, and scripts get its data as values`(name: String) async throws {
    let trial = try PresetTrial(try #require(Registry.builtIn.preset(name)).use)
    let transcript = try await trial.play(try PresetTrial.fixture("\(name).ndjson"))
    let expected = try PresetTrial.fixture("\(name).txt").split(separator: "\n").map(String.init)
    #expect(transcript == expected, "got:\n\(transcript.joined(separator: "\n"))")
  }

  @Test(
    "a refusal is told with what it is about",
    arguments: [
      (
        "source.preset 'binance.trades' { symbols = { 'BTCUSDT' } }",
        #"{"error":{"code":2,"msg":"Invalid request: too many parameters"},"id":1}"#,
        #"refused: subscription 'trades' (BTCUSDT): the server answered {"error":{"code":2,"msg":"Invalid request: too many parameters"},"id":1}"#
      ),
      (
        "source.preset 'coinbase.ticker' { symbols = { 'BTC-USDD' } }",
        #"{"type":"error","message":"Failed to subscribe","reason":"BTC-USDD is not a valid product"}"#,
        #"refused: subscription 'ticker' (BTC-USDD): the server answered {"type":"error","message":"Failed to subscribe","reason":"BTC-USDD is not a valid product"}"#
      ),
      (
        "source.preset 'kraken.book' { symbols = { 'BTC/USD', 'XBT/USD' } }",
        #"{"error":"Currency pair not supported XBT/USD","method":"subscribe","success":false,"symbol":"XBT/USD"}"#,
        #"refused: subscription 'book' (XBT/USD): the server answered {"error":"Currency pair not supported XBT/USD","method":"subscribe","success":false,"symbol":"XBT/USD"}"#
      ),
      (
        "source.preset 'okx.tickers' { symbols = { 'BTC-USDX' } }",
        #"{"event":"error","code":"60018","msg":"Wrong URL or channel:tickers,instId:BTC-USDX doesn't exist.","connId":"a4d3ae55"}"#,
        #"refused: subscription 'tickers' (BTC-USDX): the server answered {"event":"error","code":"60018","msg":"Wrong URL or channel:tickers,instId:BTC-USDX doesn't exist.","connId":"a4d3ae55"}"#
      ),
    ])
  func refusals(use: String, answer: String, report: String) async throws {
    let transcript = try await PresetTrial(use).play(
      """
      {"time":1767225600000,"source":"feed","event":"connected"}
      {"time":1767225600050,"source":"feed","message":\(answer)}
      """)
    #expect(transcript.last == report)
  }

  @Test(arguments: presets.map(\.name))
  func `a subscription that nobody answers is told, and asked for again at the next connect`(name: String)
    async throws
  {
    let preset = try #require(Registry.builtIn.preset(name))
    let transcript = try await PresetTrial(preset.use).play(
      """
      {"time":1767225600000,"source":"feed","event":"connected"}
      {"time":1767225610000,"source":"feed","event":"disconnected","code":1006,"reason":"cut"}
      {"time":1767225611000,"source":"feed","event":"connected"}
      """)
    #expect(transcript.count == 3 && transcript[0].hasPrefix("send "))
    #expect(transcript[1].hasPrefix("unanswered: ") && transcript[1].hasSuffix("did not answer within 10s"))
    #expect(transcript[2].hasPrefix("send "))
  }

  @Test func `a heartbeat that stays away ends the connection`() async throws {
    func end(_ use: String, _ time: Int64) async throws -> String? {
      try await PresetTrial(use).play(
        """
        {"time":1767225600000,"source":"feed","event":"connected"}
        {"time":\(1_767_225_600_000 + time),"source":"feed","message":{"late":true}}
        """
      ).first { $0.hasPrefix("fail") }
    }
    #expect(
      try await end("source.preset 'coinbase.ticker' { symbols = { 'BTC-USD' } }", 20_000)
        == "fail no heartbeat of the server within 10s")
    #expect(
      try await end("source.preset 'kraken.ticker' { symbols = { 'BTC/USD' } }", 40_000)
        == "fail no answer to the heartbeat within 10s")
    #expect(
      try await end("source.preset 'okx.tickers' { symbols = { 'BTC-USDT' } }", 30_000)
        == "fail no answer to the heartbeat within 10s")
  }

  @Test func `options beside a preset's own take the place of its values`() throws {
    let (component, findings) = try PresetTrial.component(
      """
      source.preset "binance.trades" {
        symbols = { "BTCUSDT" }, url = "ws://127.0.0.1:9", numbers = { "p" }, stale_after = "60s", id = "t",
      }
      """)
    let settings: WebSocketSettings = try Registry.builtIn.make(try #require(component, "\(findings)"))
    #expect(settings.url.literal == "ws://127.0.0.1:9")
    #expect(settings.staleAfter == .seconds(60))
    #expect(settings.session.subscriptions.map(\.items) == [["BTCUSDT"]])
    let options = MessageOptions(fields: try #require(component).fields)
    #expect(options.numbers == [FieldPath("p")] && options.id == FieldPath("t"))
    #expect(options.sequence?.last == FieldPath("t"))
  }

  @Test(
    "a fault names its place and what to do",
    arguments: [
      (
        "source.preset 'binance.trade' { symbols = { 'BTCUSDT' } }",
        "config.lua:1: sources.feed: unknown preset 'binance.trade'; did you mean 'binance.trades'?"
      ),
      (
        "source.preset 'binance.trades' {}",
        "config.lua:1: sources.feed.symbols: missing; source.preset \"binance.trades\" needs a list, "
          + "for example symbols = { \"BTCUSDT\", \"ETHUSDT\" }"
      ),
      (
        "source.preset 'binance.trades' { symbols = {}, symbol = { 'BTCUSDT' } }",
        "config.lua:1: sources.feed.symbol: unknown option of source.preset \"binance.trades\"; "
          + "did you mean 'symbols'?"
      ),
      (
        "source.preset 'binance.klines' { symbols = {}, interval = '7m' }",
        "config.lua:1: sources.feed.interval: expected \"1s\", \"1m\", \"3m\", \"5m\", \"15m\", \"30m\", \"1h\", "
          + "\"2h\", \"4h\", \"6h\", \"8h\", \"12h\", \"1d\", \"3d\", \"1w\" or \"1M\", got \"7m\"; did you mean \"1m\"?"
      ),
      (
        "source.preset 'okx.books' { symbols = { 'BTC-USDT' }, stale_after = 5 }",
        "config.lua:1: sources.feed.stale_after: expected a duration such as \"10s\" between 1ms and 1d, got 5; "
          + "write the unit, such as \"5s\" for seconds"
      ),
      (
        "source.preset 'okx.books'",
        "config.lua: sources.feed: expected a source, for example source.file { … }, got a function; "
          + "a preset's options stand behind its name"
      ),
      (
        "source.preset('okx.books', 'BTC-USDT')",
        "config.lua:1: sources.feed: expected a table of options for source.preset \"okx.books\", got \"BTC-USDT\""
      ),
    ])
  func faults(use: String, finding: String) throws {
    let (component, findings) = try PresetTrial.component(use)
    #expect(component == nil)
    #expect(findings == [finding])
  }

  @Test(
    "a call that can't be meant so is told where it stands",
    arguments: [
      ("source.preset { 'okx.books' }", "expected the name of a preset, as in"),
      ("source.preset()", "expected the name of a preset, as in"),
      ("source.preset 'okx.books' ()", "expected one table of options behind the name"),
      ("source.preset('okx.books', {}, {})", "expected one table of options behind the name, as in"),
    ])
  func calls(use: String, reason: String) throws {
    let failure = #expect(throws: ScriptFailure.self) { _ = try PresetTrial.component(use) }
    #expect(
      failure?.reason.hasPrefix("config.lua:1: source.preset: \(reason)") == true, "\(failure?.reason ?? "")")
  }

  @Test func `help lists presets, and shows what each stands for`() throws {
    let registry = Registry.builtIn
    let list = try registry.help(on: "presets")
    for preset in Self.presets {
      #expect(list.contains("  \(preset.name)"))
      let help = try registry.help(on: "presets.\(preset.name)")
      #expect(help.hasPrefix("source.preset \"\(preset.name)\"\n  \(preset.summary.prefix(40))"))
      let options = try PresetTrial.fixture("\(preset.name).lua")
      let shown = options.split(separator: "\n").map { "  \($0)\n" }.joined()
      #expect(help.hasSuffix("\nWhat the example stands for\n\(shown)"), "\(help)")
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help)")
      #expect(try registry.help(on: preset.name) == help)
    }
    #expect(try registry.help(on: "sources").contains("kraken.book"))
    let unknown = #expect(throws: UnknownTopic.self) { try registry.help(on: "presets.kraken.boook") }
    #expect(unknown?.description.hasSuffix("did you mean 'presets.kraken.book'?") == true)
  }

  @Test func `a host's own preset is declared like those of the program`() throws {
    var registry = Registry.builtIn
    registry.register(
      PresetSpec(
        "house.prices", summary: "Prices of the house",
        fields: [.symbols("The symbols", example: ["A"])], example: ["symbols": ["A"]]
      ) { fields in ["url": .text("wss://example.org/" + fields.texts("symbols").joined(separator: ","))] })
    let (component, findings) = try PresetTrial.component(
      "source.preset 'house.prices' { symbols = { 'a', 'b' } }", registry: registry)
    #expect(component?.fields.secret("url").literal == "wss://example.org/a,b", "\(findings)")
  }
}
