local t = test.script("trades.lua", { params = { count = 3, percent = 1 } })

local function trade(symbol, price)
  t.receive("trade", { symbol = symbol, price = price, quantity = "0.5" })
end

it("has a mean once the window is full, and one of its own for each symbol", function()
  trade("BTCUSDT", "100")  t.state("BTCUSDT", { price = 100.0, volume = 0.5 })
  trade("ETHUSDT", "20")   t.state("ETHUSDT", { price = 20.0, volume = 0.5 })
  trade("BTCUSDT", "101")  t.state("BTCUSDT", { price = 101.0, volume = 1.0 })
  trade("BTCUSDT", "99")   t.state("BTCUSDT", { price = 99.0, volume = 1.5, mean = 100.0 })
end)

it("forgets the oldest price and tells of one far above the mean", function()
  trade("BTCUSDT", "100")  t.state("BTCUSDT", { price = 100.0, volume = 0.5 })
  trade("BTCUSDT", "100")  t.state("BTCUSDT", { volume = 1.0 })
  trade("BTCUSDT", "100")  t.state("BTCUSDT", { volume = 1.5, mean = 100.0 })
  trade("BTCUSDT", "103")  t.state("BTCUSDT", { price = 103.0, volume = 2.0, mean = 101.0 })
  t.alert {
    rule = "above mean", key = "BTCUSDT", text = "BTCUSDT is 1.98 % from the mean of its last 3 trades",
  }
end)
