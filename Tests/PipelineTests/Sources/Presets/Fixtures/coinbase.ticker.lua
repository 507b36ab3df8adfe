feed = source.websocket {
  heartbeat = {
    every = "10s",
    expect = { type = "heartbeat" },
    within = "10s",
  },
  ignore = { { type = "subscriptions" } },
  numbers = {
    "price",
    "open_24h",
    "volume_24h",
    "low_24h",
    "high_24h",
    "volume_30d",
    "best_bid",
    "best_bid_size",
    "best_ask",
    "best_ask_size",
    "last_size",
  },
  subscriptions = {
    ticker = {
      cancel = {
        channels = { "ticker", "heartbeat" },
        product_ids = { "{item}" },
        type = "unsubscribe",
      },
      expect = { type = "subscriptions" },
      items = { "BTC-USD", "ETH-USD" },
      refuse = { type = "error" },
      send = {
        channels = { "ticker", "heartbeat" },
        product_ids = { "{item}" },
        type = "subscribe",
      },
    },
  },
  time = { field = "time", unit = "text" },
  url = "wss://ws-feed.exchange.coinbase.com",
}
