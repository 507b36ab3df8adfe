import Scripting

extension PresetSpec {
  /// The presets of OKX.
  ///
  /// Facts from <https://www.okx.com/docs-v5/en/#overview-websocket> and the sections of the public channels on that
  /// page, read in November 2026: each instrument of a request is confirmed by itself; a connection on which nothing
  /// comes for 30 s is closed, and the text `ping` is answered by `pong`; a connection takes 480 requests an hour; each
  /// change of a book names the number before it (`prevSeqId`), which is -1 in a snapshot, the same as its own where
  /// nothing changed, and larger where numbers begin anew.
  static let okx = [
    okx(
      "trades", summary: "The trades of instruments on OKX",
      details:
        "Trades of one order at one price are one message, with their count. Nothing in it tells whether one is "
        + "missing; one that comes twice is skipped. M.key = \"instId\" gives each instrument a state of its own.",
      [
        "split": "items", "split_field": "data", "numbers": ["px", "sz", "count"],
        "time": ["field": "ts", "unit": "ms"], "id": "tradeId", "id_key": "instId",
      ]),
    okx(
      "tickers", summary: "The last price, the best bid and ask and the day of instruments on OKX",
      details: "M.key = \"instId\" gives each instrument a state of its own.",
      [
        "split": "items", "split_field": "data", "time": ["field": "ts", "unit": "ms"],
        "numbers": [
          "last", "lastSz", "askPx", "askSz", "bidPx", "bidSz", "open24h", "high24h", "low24h", "volCcy24h",
          "vol24h", "sodUtc0", "sodUtc8",
        ],
      ]),
    okx(
      "books", summary: "The order books of instruments on OKX: a snapshot at each connect, then changes",
      details:
        "Messages stay whole: action says whether it is a snapshot or an update, and data[1] has bids and asks of "
        + "price, size, 0 and the number of orders, where the size 0 takes the price away. What is missing is told as "
        + "a gap. M.key = \"arg.instId\" gives each instrument a state of its own.",
      [
        "numbers": ["data.1.asks", "data.1.bids"], "time": ["field": "data.1.ts", "unit": "ms"],
        "sequence": ["last": "data.1.seqId", "previous": "data.1.prevSeqId", "key": "arg.instId"],
      ]),
  ]

  private static func okx(
    _ channel: String, summary: String, details: String, _ own: [String: Value]
  ) -> PresetSpec {
    PresetSpec(
      "okx.\(channel)", summary: summary, details: [details],
      fields: [.symbols("The instruments", example: ["BTC-USDT"])],
      example: ["symbols": ["BTC-USDT", "ETH-USDT"]]
    ) { fields in
      let item: Value = ["channel": .text(channel), "instId": "{item}"]
      let options: [String: Value] = [
        "url": "wss://ws.okx.com:8443/ws/v5/public",
        "pace": "400ms",
        "subscriptions": [
          channel: [
            "send": ["op": "subscribe", "args": [item]], "cancel": ["op": "unsubscribe", "args": [item]],
            "items": .list(fields.texts("symbols").map { .text($0) }),
            "expect": ["event": "subscribe", "arg": item], "refuse": ["event": "error"],
          ]
        ],
        "heartbeat": ["every": "20s", "send": "ping", "expect": "pong"],
        "ignore": [
          ["event": "subscribe"], ["event": "unsubscribe"], ["event": "notice"],
          ["event": "channel-conn-count"],
        ],
      ]
      return options.merging(own) { _, own in own }
    }
  }
}
