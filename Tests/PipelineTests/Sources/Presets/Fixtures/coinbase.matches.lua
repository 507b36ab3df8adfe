feed = source.websocket {
  heartbeat = {
    every = "10s",
    expect = { type = "heartbeat" },
    within = "10s",
  },
  ignore = { { type = "subscriptions" } },
  numbers = { "price", "size" },
  sequence = { key = "product_id", last = "trade_id" },
  subscriptions = {
    matches = {
      cancel = {
        channels = { "matches", "heartbeat" },
        product_ids = { "{item}" },
        type = "unsubscribe",
      },
      expect = { type = "subscriptions" },
      items = { "BTC-USD", "ETH-USD" },
      refuse = { type = "error" },
      send = {
        channels = { "matches", "heartbeat" },
        product_ids = { "{item}" },
        type = "subscribe",
      },
    },
  },
  time = { field = "time", unit = "text" },
  url = "wss://ws-feed.exchange.coinbase.com",
}
