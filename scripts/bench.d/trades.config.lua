return {
  sources = { feed = source.stdin {} },
  scripts = { bench = { file = "trades.lua", from = { trade = "feed" } } },
  channels = { screen = channel.console {} },
}
