feed = source.websocket {
  heartbeat = { every = "20s", expect = "pong", send = "ping" },
  ignore = {
    { event = "subscribe" },
    { event = "unsubscribe" },
    { event = "notice" },
    { event = "channel-conn-count" },
  },
  numbers = {
    "last",
    "lastSz",
    "askPx",
    "askSz",
    "bidPx",
    "bidSz",
    "open24h",
    "high24h",
    "low24h",
    "volCcy24h",
    "vol24h",
    "sodUtc0",
    "sodUtc8",
  },
  pace = "400ms",
  split = "items",
  split_field = "data",
  subscriptions = {
    tickers = {
      cancel = {
        args = { { channel = "tickers", instId = "{item}" } },
        op = "unsubscribe",
      },
      expect = {
        arg = { channel = "tickers", instId = "{item}" },
        event = "subscribe",
      },
      items = { "BTC-USDT", "ETH-USDT" },
      refuse = { event = "error" },
      send = {
        args = { { channel = "tickers", instId = "{item}" } },
        op = "subscribe",
      },
    },
  },
  time = { field = "ts", unit = "ms" },
  url = "wss://ws.okx.com:8443/ws/v5/public",
}
