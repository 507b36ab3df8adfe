return {
  sources = {
    -- What Coinbase wants said to it is known under this name: 'pipeline help presets.coinbase.ticker' shows it.
    coinbase = source.preset "coinbase.ticker" { symbols = { "BTC-USD" }, stale_after = "60s" },
  },
  scripts = { tracker = { file = "coinbase.lua", from = { ticker = "coinbase" } } },
  channels = { screen = channel.console {} },
  storage = storage.sqlite { file = "coinbase.db" },
}
