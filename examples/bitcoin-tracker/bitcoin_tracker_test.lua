local t = test.script("bitcoin_tracker.lua", {
  from = { price = "btc" }, params = { turns = true, open_for = "10s", closed_for = "5s" },
})

-- A test begins with its sources connected.
local function connected()
  t.state { connection = "connected" }
  t.alert { rule = "connection", text = "connected to btc" }
end

it("keeps the current price", function()
  connected()
  t.receive("price", { bitcoin = "67123.45" })
  t.state { price = 67123.45 }
  t.receive("price", { bitcoin = 67000 })
  t.state { price = 67000.0 }
end)

it("knows when the connection is lost and found again", function()
  connected()
  t.receive("price", { bitcoin = "67123.45" })
  t.state { price = 67123.45 }
  t.disconnect("btc")
  t.state { connection = "disconnected" }
  t.alert { rule = "connection", text = "disconnected from btc; the last price is 67123.45" }
  t.reconnect("btc")
  connected()
end)

it("disconnects after its turn and connects again", function()
  connected()
  t.advance("10s")
  t.effect { disconnect = "btc" }
  t.state { connection = "disconnected" }
  t.alert { rule = "connection", text = "disconnected from btc; no price yet" }
  t.advance("5s")
  t.effect { connect = "btc" }
  connected()
end)
