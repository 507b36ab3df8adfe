import Scripting

extension PresetSpec {
  /// The presets of Binance's spot market.
  ///
  /// Facts from <https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams>, read in November 2026:
  /// names of streams are in lower case, a connection takes 5 messages a second, pings and pongs among them, and 1,024
  /// streams, and ends after a day, pings are those of the protocol, and an answer that confirms has a null result.
  /// Trades of a symbol are numbered without holes by `t`, changes of its book by `U` to `u`. A refusal is written
  /// there as a code and a message; servers send both inside of `error`.
  static let binance = [
    binance(
      "trades", summary: "Every trade of symbols on Binance", stream: "trade",
      details:
        "The numbers of a symbol's trades (t) have no holes, so what a lost connection cost is told as a gap.",
      [
        "numbers": ["p", "q"], "time": ["field": "T", "unit": "ms"], "sequence": ["last": "t", "key": "s"],
      ]),
    binance(
      "book_ticker", summary: "The best bid and ask of symbols on Binance, at each change",
      stream: "bookTicker",
      details: "Its messages have no time of their own.",
      ["numbers": ["b", "B", "a", "A"]]),
    PresetSpec(
      "binance.depth", summary: "Changes of the order books of symbols on Binance",
      details: [
        "Each message covers the numbers U to u of its symbol; what is missing is told as a gap, after which a new "
          + "snapshot is to be fetched (effect.http) before the changes mean anything.", key,
      ],
      fields: [
        symbols,
        FieldSpec(
          "speed", .choice(["1000ms", "100ms"]), default: "1000ms", help: "The time between two messages"),
      ], example: ["symbols": ["BTCUSDT"], "speed": "100ms"]
    ) { fields in
      let stream = fields.text("speed") == "100ms" ? "depth@100ms" : "depth"
      return options("depth", stream, fields).merging([
        "numbers": ["a", "b"], "time": ["field": "E", "unit": "ms"],
        "sequence": ["first": "U", "last": "u", "key": "s"],
      ]) { _, own in own }
    },
    PresetSpec(
      "binance.klines", summary: "The current candle of symbols on Binance, about every second or two",
      details: ["A candle is over when k.x is true. \(key)"],
      fields: [
        symbols,
        FieldSpec(
          "interval",
          .choice([
            "1s", "1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M",
          ]),
          default: "1m", help: "The length of a candle"),
      ], example: ["symbols": ["BTCUSDT"], "interval": "5m"]
    ) { fields in
      options("klines", "kline_\(fields.text("interval"))", fields).merging([
        "numbers": ["k.o", "k.c", "k.h", "k.l", "k.v", "k.q", "k.V", "k.Q"],
        "time": ["field": "E", "unit": "ms"],
      ]) { _, own in own }
    },
  ]

  private static let symbols = FieldSpec.symbols("The symbols, in any case", example: ["BTCUSDT", "ETHUSDT"])
  private static let key =
    "M.key = \"s\" gives each symbol a state of its own. Binance confirms symbols that it doesn't know, and sends nothing."

  private static func binance(
    _ name: String, summary: String, stream: String, details: String, _ own: [String: Value]
  ) -> PresetSpec {
    PresetSpec(
      "binance.\(name)", summary: summary, details: ["\(details) \(key)"], fields: [symbols],
      example: ["symbols": ["BTCUSDT", "ETHUSDT"]]
    ) { fields in options(name, stream, fields).merging(own) { _, own in own } }
  }

  private static func options(_ name: String, _ stream: String, _ fields: FieldReader) -> [String: Value] {
    func request(_ method: String) -> Value {
      ["method": .text(method), "params": [.text("{item:lower}@\(stream)")], "id": "{id}"]
    }
    return [
      "url": "wss://stream.binance.com:9443/ws",
      "pace": "500ms",
      "subscriptions": [
        name: [
          "send": request("SUBSCRIBE"), "cancel": request("UNSUBSCRIBE"),
          "items": .list(fields.texts("symbols").map { .text($0) }),
          "expect": ["id": "{id}", "result": .null], "refuse": ["error": ["code": "{any}", "msg": "{any}"]],
        ]
      ],
      "ignore": [
        ["id": "{any}", "result": .null], ["code": "{any}", "msg": "{any}"], ["e": "serverShutdown"],
      ],
    ]
  }
}
