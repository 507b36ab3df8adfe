import Scripting

extension PresetSpec {
  /// The presets of Coinbase Exchange.
  ///
  /// Facts from <https://docs.cdp.coinbase.com/exchange/websocket-feed/overview> and `/channels` beside it, read in
  /// November 2026: a request is answered by all subscriptions there are, or by an error; the heartbeat channel sends
  /// one each second for each product; the trades of a product are numbered without holes by `trade_id`, and
  /// `last_match` repeats the last one at each connect.
  static let coinbase = [
    coinbase(
      "ticker", channel: "ticker", summary: "The price of products on Coinbase Exchange, with each match",
      details: "Many matches at once may give one message.",
      [
        "numbers": [
          "price", "open_24h", "volume_24h", "low_24h", "high_24h", "volume_30d", "best_bid", "best_bid_size",
          "best_ask", "best_ask_size", "last_size",
        ]
      ]),
    coinbase(
      "matches", channel: "matches", summary: "Every trade of products on Coinbase Exchange",
      details:
        "The numbers of a product's trades (trade_id) have no holes, so what a lost connection cost is told as a gap. "
        + "The first message of a connection is the last trade before it, of type last_match.",
      ["numbers": ["price", "size"], "sequence": ["last": "trade_id", "key": "product_id"]]),
    coinbase(
      "level2", channel: "level2_batch",
      summary: "The order books of products on Coinbase Exchange: a snapshot at each connect, then changes",
      details:
        "It is the channel level2_batch, which needs no login. A snapshot has bids and asks of price and size, an "
        + "l2update has changes of side, price and size, where 0 takes the price away.",
      ["numbers": ["bids", "asks", "changes"], "max_message_bytes": 33_554_432]),
  ]

  private static func coinbase(
    _ name: String, channel: String, summary: String, details: String, _ own: [String: Value]
  ) -> PresetSpec {
    PresetSpec(
      "coinbase.\(name)", summary: summary,
      details: ["\(details) M.key = \"product_id\" gives each product a state of its own."],
      fields: [.symbols("The products", example: ["BTC-USD"])], example: ["symbols": ["BTC-USD", "ETH-USD"]]
    ) { fields in
      func request(_ type: String) -> Value {
        ["type": .text(type), "product_ids": ["{item}"], "channels": [.text(channel), "heartbeat"]]
      }
      let options: [String: Value] = [
        "url": "wss://ws-feed.exchange.coinbase.com",
        "subscriptions": [
          name: [
            "send": request("subscribe"), "cancel": request("unsubscribe"),
            "items": .list(fields.texts("symbols").map { .text($0) }),
            "expect": ["type": "subscriptions"], "refuse": ["type": "error"],
          ]
        ],
        "heartbeat": ["every": "10s", "expect": ["type": "heartbeat"], "within": "10s"],
        "ignore": [["type": "subscriptions"]],
        "time": ["field": "time", "unit": "text"],
      ]
      return options.merging(own) { _, own in own }
    }
  }
}
