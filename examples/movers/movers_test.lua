local function trade(symbol, price) return { symbol = symbol, price = tostring(price) } end

it("tells of a symbol that moves by three percent within five minutes, either way", function()
  local t = test.script("movers.lua")
  t.receive("trade", trade("BTC", 100))  t.state("BTC", { price = 100.0, day = 20454, open = 100.0 })
  t.receive("trade", trade("ETH", 50))   t.state("ETH", { price = 50.0, day = 20454, open = 50.0 })
  t.advance("2m")
  t.receive("trade", trade("BTC", 102))  t.state("BTC", { price = 102.0 })
  t.receive("trade", trade("ETH", 48))   t.state("ETH", { price = 48.0 })
  t.alert { rule = "mover", key = "ETH", text = "48, more than 3 % within 5m" }
  t.advance("1m")
  t.receive("trade", trade("BTC", 103))  t.state("BTC", { price = 103.0 })
  t.alert { rule = "mover", key = "BTC" }
end)

it("says nothing of a slow climb", function()
  local t = test.script("movers.lua")
  t.receive("trade", trade("BTC", 100))  t.state("BTC", { price = 100.0, day = 20454, open = 100.0 })
  for minute = 1, 30 do
    local price = 100 + minute / 2
    t.advance("1m")
    t.receive("trade", trade("BTC", price))  t.state("BTC", { price = price })
  end
end)

it("tells of one symbol at most once an hour", function()
  local t = test.script("movers.lua")
  t.receive("trade", trade("BTC", 100))  t.state("BTC", { price = 100.0, day = 20454, open = 100.0 })
  t.receive("trade", trade("BTC", 104))  t.state("BTC", { price = 104.0 })
  t.alert { rule = "mover", key = "BTC" }
  t.advance("10m")
  t.receive("trade", trade("BTC", 104.5))  t.state("BTC", { price = 104.5 })
  t.receive("trade", trade("BTC", 110))    t.state("BTC", { price = 110.0 })
  t.advance("10m")
  t.receive("trade", trade("BTC", 110))
  t.advance("2h")
  t.receive("trade", trade("BTC", 100))    t.state("BTC", { price = 100.0 })
  t.receive("trade", trade("BTC", 104))    t.state("BTC", { price = 104.0 })
  t.alert { rule = "mover", key = "BTC" }
end)

it("sums up each morning what moved most since midnight", function()
  local t = test.script("movers.lua", { now = "2026-07-01T05:00:00Z" })
  t.receive("trade", trade("BTC", 100))  t.state("BTC", { price = 100.0, day = 20635, open = 100.0 })
  t.receive("trade", trade("ETH", 50))   t.state("ETH", { price = 50.0, day = 20635, open = 50.0 })
  t.receive("trade", trade("BTC", 99))   t.state("BTC", { price = 99.0 })
  t.receive("trade", trade("ETH", 51))   t.state("ETH", { price = 51.0 })
  t.advance("1h")
  t.alert { name = "summary", text = "ETH +2.0 %, BTC -1.0 %" }
end)
