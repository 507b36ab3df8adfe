local t = test.script("bitcoin_tracker.lua", {
  from = { price = "btc" }, params = { turns = true, open_for = "10s", closed_for = "5s" },
})

it("keeps the current price", function()
  t.receive("price", { bitcoin = "67123.45" })
  t.state { price = 67123.45 }
  t.receive("price", { bitcoin = 67000 })
  t.state { price = 67000.0 }
end)

it("knows when the connection is lost and found again", function()
  t.receive("price", { bitcoin = "67123.45" })
  t.state { price = 67123.45 }
  t.disconnect("price")
  t.state { connection = "disconnected" }
  t.alert { rule = "connection", text = "disconnected from btc; the last price is 67123.45" }
  t.reconnect("price")
  t.state { connection = "connected" }
  t.alert { rule = "connection", text = "connected to btc" }
end)
