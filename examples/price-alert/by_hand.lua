-- Takes prices from the standard input, for a restart by hand in the middle of what a rule waits for.
return {
  sources = { btc = source.stdin {} },
  scripts = {
    price_alert = { file = "price_alert.lua", from = { price = "btc" }, params = { stay = "5s" } },
  },
  channels = { screen = channel.console {} },
  storage = storage.sqlite { file = "by_hand.db" },
}
