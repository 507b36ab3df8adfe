return {
  sources = {
    coinbase = source.websocket {
      url = "wss://ws-feed.exchange.coinbase.com",
      open = { { type = "subscribe", product_ids = { "BTC-USD", "ETH-USD" }, channels = { "matches" } } },
      stale_after = "60s",
    },
  },
  scripts = {
    enrich = {
      file = "enrich.lua", from = { trade = "coinbase" }, params = { large = 50000 },
      hosts = { "api.exchange.coinbase.com" },
    },
  },
  channels = { screen = channel.console {} },
}
