-- Two feeds, three stages: ticks, one-minute bars, their relative strength.
return {
  sources = {
    prices = source.simulated { rate = 5, price = 67000, symbols = { "bitcoin", "ethereum" } },
    trades = source.simulated { kind = "trades", rate = 20, price = 67000, seed = 2 },
  },
  scripts = {
    normalise = { file = "normalise.lua", from = { "prices", "trades" } },
    bars = { file = "bars.lua", from = { tick = "normalise.ticks" }, outputs = { bars = "bars_file" } },
    rsi = {
      file = "rsi.lua", from = { bar = "bars.bars" }, params = { count = 14 },
      -- Bars as bars.lua publishes them, so that the strength is known from the first live bar on.
      warm_up = { bar = { file = "history.ndjson", time = { field = "start" } } },
    },
  },
  channels = {
    screen = channel.console {},
    bars_file = channel.file { path = "bars.ndjson" },
  },
  routes = { { to = { "screen" } } },
}
