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
  split = "items",
  split_field = "data",
  subscriptions = {
    ticker = {
      cancel = {
        method = "unsubscribe",
        params = {
          channel = "ticker",
          event_trigger = "trades",
          symbol = { "{item}" },
        },
        req_id = "{id}",
      },
      expect = {
        method = "subscribe",
        req_id = "{id}",
        result = { symbol = "{item}" },
        success = true,
      },
      items = { "BTC/USD", "ETH/USD" },
      refuse = { method = "subscribe", success = false, symbol = "{item}" },
      send = {
        method = "subscribe",
        params = {
          channel = "ticker",
          event_trigger = "trades",
          symbol = { "{item}" },
        },
        req_id = "{id}",
      },
    },
  },
  time = { field = "timestamp", unit = "text" },
  url = "wss://ws.kraken.com/v2",
}
