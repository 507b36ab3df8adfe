feed = source.websocket {
  heartbeat = {
    every = "30s",
    expect = { method = "pong" },
    send = { method = "ping" },
  },
  ignore = {
    { channel = "heartbeat" },
    { channel = "status" },
    { method = "unsubscribe" },
  },
  subscriptions = {
    book = {
      cancel = {
        method = "unsubscribe",
        params = { channel = "book", depth = 25, symbol = { "{item}" } },
        req_id = "{id}",
      },
      expect = {
        method = "subscribe",
        req_id = "{id}",
        result = { symbol = "{item}" },
        success = true,
      },
      items = { "BTC/USD" },
      refuse = { method = "subscribe", success = false, symbol = "{item}" },
      send = {
        method = "subscribe",
        params = { channel = "book", depth = 25, symbol = { "{item}" } },
        req_id = "{id}",
      },
    },
  },
  time = { field = "data.1.timestamp", unit = "text" },
  url = "wss://ws.kraken.com/v2",
}
