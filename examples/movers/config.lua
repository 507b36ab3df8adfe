-- Two hundred symbols of a made-up feed; a configuration may compute what it returns.
local symbols = {}
for i = 1, 200 do symbols[i] = ("COIN%03d"):format(i) end

return {
  sources = {
    trades = source.simulated { kind = "trades", symbols = symbols, rate = 2000, volatility = 0.002 },
  },
  scripts = { movers = { file = "movers.lua", from = { trade = "trades" }, params = { percent = 3 } } },
  channels = { screen = channel.console {} },
}
