return {
  sources = {
    coinbase = source.websocket {
      url = "wss://ws-feed.exchange.coinbase.com",
      subscriptions = {
        ticker = {
          send = { type = "subscribe", product_ids = { "{item}" }, channels = { "ticker" } }, items = { "BTC-USD" },
          expect = { type = "subscriptions" }, refuse = { type = "error" },
        },
      },
      stale_after = "60s",
    },
  },
  scripts = { tracker = { file = "coinbase.lua", from = { ticker = "coinbase" } } },
  channels = { screen = channel.console {} },
  storage = storage.sqlite { file = "coinbase.db" },
}
