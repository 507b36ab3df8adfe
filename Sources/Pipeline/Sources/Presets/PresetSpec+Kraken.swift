import Scripting

extension PresetSpec {
  /// The presets of Kraken's spot market, by its interface of version 2.
  ///
  /// Facts from <https://docs.kraken.com/exchange/api-reference/spot-websocket-v2/trade> and `/ticker`, `/book`,
  /// `/ping` and `/heartbeat` beside it, read in November 2026: each symbol of a request is confirmed or refused by
  /// itself; heartbeats come each second only where nothing else does, so that the client's own ping tells more; the
  /// trades of a symbol are numbered without holes by `trade_id`.
  static let kraken = [
    PresetSpec(
      "kraken.trade", summary: "Every trade of symbols on Kraken",
      details: [
        "The numbers of a symbol's trades (trade_id) have no holes, so what a lost connection cost is told as a gap. "
          + "With snapshot the last 50 come at each connect: they fill a shorter hole, and those that were there "
          + "before are skipped, but for those before a restart of the program.", key,
      ],
      fields: [
        symbols,
        FieldSpec(
          "snapshot", .boolean, default: false, help: "Whether the last 50 trades come at each connect"),
      ], example: ["symbols": ["BTC/USD"], "snapshot": true]
    ) { fields in
      options("trade", fields, first: ["snapshot": .bool(fields.boolean("snapshot"))]).merging([
        "split": "items", "split_field": "data", "time": ["field": "timestamp", "unit": "text"],
        "sequence": ["last": "trade_id", "key": "symbol"],
      ]) { _, own in own }
    },
    PresetSpec(
      "kraken.ticker", summary: "The best bid and ask, the last price and the day of symbols on Kraken",
      details: [key],
      fields: [
        symbols,
        FieldSpec(
          "trigger", .choice(["trades", "bbo"]), default: "trades",
          help: "What gives a message: each trade, or each change of the best bid or ask"),
      ], example: ["symbols": ["BTC/USD", "ETH/USD"]]
    ) { fields in
      options("ticker", fields, ["event_trigger": .text(fields.text("trigger"))]).merging([
        "split": "items", "split_field": "data", "time": ["field": "timestamp", "unit": "text"],
      ]) { _, own in own }
    },
    PresetSpec(
      "kraken.book",
      summary: "The order books of symbols on Kraken: a snapshot at each connect, then changes",
      details: [
        "Messages stay whole: type says whether it is a snapshot or an update, and data[1] has the symbol, bids and "
          + "asks of price and qty, where 0 takes the price away. M.key = \"data.1.symbol\" gives each symbol a state "
          + "of its own."
      ],
      fields: [
        symbols,
        FieldSpec(
          "depth", .integer(1...1_000), unit: "prices", default: 10,
          help: "The prices on each side: the next of 10, 25, 100, 500 and 1000 that holds them is asked for"),
      ], example: ["symbols": ["BTC/USD"], "depth": 25]
    ) { fields in
      let wanted = fields.integer("depth")
      let depth: Int64 = [10, 25, 100, 500].first { $0 >= wanted } ?? 1_000
      return options("book", fields, ["depth": .integer(depth)]).merging([
        "time": ["field": "data.1.timestamp", "unit": "text"]
      ]) { _, own in own }
    },
  ]

  private static let symbols = FieldSpec.symbols("The symbols", example: ["BTC/USD"])
  private static let key = "M.key = \"symbol\" gives each symbol a state of its own."

  /// - Parameters:
  ///   - own: what tells the subscription from others of its channel, also where it ends.
  ///   - first: what is said at its beginning only.
  private static func options(
    _ channel: String, _ fields: FieldReader, _ own: [String: Value] = [:], first: [String: Value] = [:]
  ) -> [String: Value] {
    let named: [String: Value] = own.merging(["channel": .text(channel), "symbol": ["{item}"]]) { own, _ in
      own
    }
    return [
      "url": "wss://ws.kraken.com/v2",
      "subscriptions": [
        channel: [
          "send": [
            "method": "subscribe", "params": .map(named.merging(first) { _, first in first }),
            "req_id": "{id}",
          ],
          "cancel": ["method": "unsubscribe", "params": .map(named), "req_id": "{id}"],
          "items": .list(fields.texts("symbols").map { .text($0) }),
          "expect": [
            "method": "subscribe", "success": true, "req_id": "{id}", "result": ["symbol": "{item}"],
          ],
          "refuse": ["method": "subscribe", "success": false, "symbol": "{item}"],
        ]
      ],
      "heartbeat": ["every": "30s", "send": ["method": "ping"], "expect": ["method": "pong"]],
      "ignore": [["channel": "heartbeat"], ["channel": "status"], ["method": "unsubscribe"]],
    ]
  }
}
