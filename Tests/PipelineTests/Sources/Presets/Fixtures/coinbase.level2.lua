feed = source.websocket {
  heartbeat = {
    every = "10s",
    expect = { type = "heartbeat" },
    within = "10s",
  },
  ignore = { { type = "subscriptions" } },
  max_message_bytes = 33554432,
  numbers = { "bids", "asks", "changes" },
  subscriptions = {
    level2 = {
      cancel = {
        channels = { "level2_batch", "heartbeat" },
        product_ids = { "{item}" },
        type = "unsubscribe",
      },
      expect = { type = "subscriptions" },
      items = { "BTC-USD", "ETH-USD" },
      refuse = { type = "error" },
      send = {
        channels = { "level2_batch", "heartbeat" },
        product_ids = { "{item}" },
        type = "subscribe",
      },
    },
  },
  time = { field = "time", unit = "text" },
  url = "wss://ws-feed.exchange.coinbase.com",
}
