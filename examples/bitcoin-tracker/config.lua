return {
  sources = {
    btc = source.simulated { price = 67000, rate = 10 },
  },
  scripts = {
    tracker = {
      file = "bitcoin_tracker.lua",
      from = { price = "btc" },
      params = { turns = true, open_for = "2s", closed_for = "1s" },
    },
  },
  channels = { screen = channel.console {} },
}
