return {
  sources = {
    coinbase = source.websocket {
      url = "wss://ws-feed.exchange.coinbase.com",
      open = { { type = "subscribe", product_ids = { "BTC-USD" }, channels = { "ticker" } } },
      stale_after = "60s",
    },
  },
  scripts = { tracker = { file = "coinbase.lua", from = { ticker = "coinbase" } } },
  channels = { screen = channel.console {} },
  storage = storage.sqlite { file = "coinbase.db" },
}
