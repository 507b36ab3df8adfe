it("brings both feeds into one form and leaves out what it doesn't know", function()
  local t = test.script("normalise.lua")
  t.receive("prices", { bitcoin = "67000.5", dogecoin = "0.1" })
  t.emitted("ticks", { symbol = "BTC", price = 67000.5 })
  t.receive("trades", { symbol = "ETHUSDT", price = "3000", side = "buy" })
  t.emitted("ticks", { symbol = "ETH", price = 3000.0 })
  t.receive("trades", { symbol = "DOGEUSDT", price = "0.1" })
  t.nothing()
end)

it("closes a bar at the full minute, whether or not another tick comes", function()
  local t = test.script("bars.lua", { now = "2026-01-01T00:00:10Z" })
  t.receive("tick", { symbol = "BTC", price = 100.0 })
  t.state("BTC", { start = 1767225600000, open = 100.0, high = 100.0, low = 100.0, close = 100.0, ticks = 1 })
  t.advance("20s")
  t.receive("tick", { symbol = "BTC", price = 110.0 })
  t.state("BTC", { high = 110.0, close = 110.0, ticks = 2 })
  t.receive("tick", { symbol = "BTC", price = 90.0 })
  t.state("BTC", { low = 90.0, close = 90.0, ticks = 3 })
  t.advance("30s")
  local bar = {
    symbol = "BTC", start = 1767225600000, open = 100.0, high = 110.0, low = 90.0, close = 90.0, ticks = 3,
  }
  t.emitted("bars", bar)
  t.effect { publish = "bars", value = bar }
  t.state("BTC", { start = json.null })
  t.advance("10m")
  t.nothing()
end)

it("tells when the strength leaves the band, and when it is back", function()
  local t = test.script("rsi.lua", { params = { count = 2 } })
  local function bar(close) t.receive("bar", { symbol = "BTC", close = close }) end
  -- It takes two changes to begin.
  bar(100.0)  t.nothing()
  bar(101.0)  t.nothing()
  bar(102.0)  t.state("BTC", { rsi = 100.0, last = 100.0 })
  t.alert { rule = "overbought", key = "BTC", text = "RSI 100.0" }
  bar(101.0)  t.state("BTC", { rsi = 50.0, last = 50.0 })
  t.resolved { rule = "overbought", key = "BTC" }
  bar(97.0)   t.state("BTC", { rsi = 10.0, last = 10.0 })
  t.alert { rule = "oversold", key = "BTC", text = "RSI 10.0" }
end)

it("knows the strength from the bars of before", function()
  local t = test.config("config.lua")
  t.warm_up()
  t.state("BTC", { rsi = 57.09788858837718, last = 57.09788858837718 }, { script = "rsi" })
  t.state("ETH", { rsi = 61.41465480728428, last = 61.41465480728428 }, { script = "rsi" })
end)

it("passes a price through all three stages", function()
  local t = test.config("config.lua", { now = "2026-01-01T00:00:10Z" })
  t.receive("prices", { bitcoin = "100" })
  t.emitted("ticks", { symbol = "BTC", price = 100.0 })
  t.state("BTC", { start = 1767225600000, open = 100.0, high = 100.0, low = 100.0, close = 100.0, ticks = 1 },
    { script = "bars" })
  t.advance("50s")
  t.state("BTC", { start = json.null }, { script = "bars" })
  t.effect { publish = "bars" }
end)
