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
  sequence = { key = "symbol", last = "trade_id" },
  split = "items",
  split_field = "data",
  subscriptions = {
    trade = {
      cancel = {
        method = "unsubscribe",
        params = { channel = "trade", symbol = { "{item}" } },
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
        params = {
          channel = "trade",
          snapshot = true,
          symbol = { "{item}" },
        },
        req_id = "{id}",
      },
    },
  },
  time = { field = "timestamp", unit = "text" },
  url = "wss://ws.kraken.com/v2",
}
