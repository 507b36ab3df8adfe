return {
  sources = {
    exchange = source.simulated { kind = "trades", rate = 100, symbols = { "BTCUSDT", "ETHUSDT", "SOLUSDT" } },
  },
  scripts = {
    trades = { file = "trades.lua", from = { trade = "exchange" } },
  },
  channels = { screen = channel.console {} },
}
