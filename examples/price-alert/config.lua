return {
  sources = {
    -- Made up from a seed, so it needs no network. A real feed has the same shape: source.websocket { url = "wss://…" }
    btc = source.simulated { price = 69900, rate = 20, volatility = 0.0005, seed = 329 },
  },
  scripts = {
    price_alert = {
      file = "price_alert.lua",
      from = { price = "btc" },
      params = { level = 70000, band = 200, cooldown = "1s" },
    },
  },
  channels = { screen = channel.console {} },
  storage = storage.sqlite { file = "price-alert.db" },
}
