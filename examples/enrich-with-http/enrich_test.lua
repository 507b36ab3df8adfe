local function match(price, size, product)
  return { type = "match", product_id = product or "BTC-USD", price = tostring(price), size = tostring(size) }
end

local function trade(size, price) return { trade = { size = size, price = price } } end

local url = "https://api.exchange.coinbase.com/products/BTC-USD/stats"

it("tells of a large trade with the range of the day", function()
  local t = test.script("enrich.lua")
  t.receive("trade", match(67000, 0.5))
  t.nothing()
  t.receive("trade", match(67000, 2))
  t.advance("500ms")
  t.state("BTC-USD", trade(2.0, 67000.0))
  t.effect { http = url }
  t.reply { json = { low = "66000.5", high = "68000" } }
  t.state("BTC-USD", { told = 1 })
  t.alert { name = "large trade", text = "BTC-USD: 2 traded at 67000.00; the day's range is 66000.5 to 68000" }
end)

it("asks once for a burst, about its newest trade", function()
  local t = test.script("enrich.lua")
  for size = 2, 5 do
    t.receive("trade", match(67000, size))
    t.advance("400ms")
  end
  t.nothing()
  t.advance("100ms")
  t.state("BTC-USD", trade(5.0, 67000.0))
  t.effect { http = url }
end)

it("lets a newer look-up take the place of a slow one", function()
  local t = test.script("enrich.lua")
  t.receive("trade", match(67000, 2))
  t.advance("500ms")
  t.state("BTC-USD", trade(2.0, 67000.0))
  t.effect { http = url }
  t.receive("trade", match(67000, 3))
  t.advance("500ms")
  t.state("BTC-USD", trade(3.0, 67000.0))
  t.effect { http = url }
  t.reply { json = { low = "0", high = "9" } }    -- the slow one, which nobody waits for any more
  t.nothing()
  t.reply { json = { low = "1", high = "2" } }
  t.state("BTC-USD", { told = 1 })
  t.alert { text = "BTC-USD: 3 traded at 67000.00; the day's range is 1 to 2" }
end)

it("tells without the range when the exchange has no answer", function()
  local t = test.script("enrich.lua")
  t.receive("trade", match(67000, 2))
  t.advance("500ms")
  t.state("BTC-USD", trade(2.0, 67000.0))
  t.effect { http = url }
  t.reply { status = 503 }
  t.log("warn", "no range of the day for BTC-USD 503")
  t.state("BTC-USD", { told = 1 })
  t.alert { text = "BTC-USD: 2 traded at 67000.00" }
end)

it("keeps the products apart", function()
  local t = test.script("enrich.lua")
  t.receive("trade", match(67000, 2))
  t.receive("trade", match(3000, 50, "ETH-USD"))
  t.advance("500ms")
  t.state("BTC-USD", trade(2.0, 67000.0))
  t.state("ETH-USD", trade(50.0, 3000.0))
  t.effect { http = url }
  t.effect { http = "https://api.exchange.coinbase.com/products/ETH-USD/stats" }
  t.reply("ETH", { json = { low = "1", high = "2" } })
  t.state("ETH-USD", { told = 1 })
  t.alert { key = "ETH-USD" }
end)
