return {
  sources = { feed = source.stdin {} },
  scripts = { bench = { file = "prices.lua", from = { price = "feed" } } },
  channels = { screen = channel.console {} },
}
