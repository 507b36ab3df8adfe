local t = test.script("price_alert.lua", { params = { level = 70000, band = 200, cooldown = "10m" } })

it("tells when the price reaches the level, and then is quiet", function()
  t.receive("price", { bitcoin = "69900" })
  t.state { price = 69900.0 }
  t.receive("price", { bitcoin = "70000" })
  t.state { price = 70000.0 }
  t.alert { rule = "over level", text = "bitcoin reached 70000.00" }
  t.receive("price", { bitcoin = "70100" })
  t.state { price = 70100.0 }
end)

it("is quiet inside the band, and tells when the price has left it", function()
  t.receive("price", { bitcoin = "69900" })
  t.state { price = 69900.0 }
  t.receive("price", { bitcoin = "70010" })
  t.state { price = 70010.0 }
  t.alert { rule = "over level" }
  t.receive("price", { bitcoin = "69801" })
  t.state { price = 69801.0 }
  t.receive("price", { bitcoin = "70020" })
  t.state { price = 70020.0 }
  t.receive("price", { bitcoin = "69800" })
  t.state { price = 69800.0 }
  t.resolved { rule = "over level" }
end)

it("holds the next alert back until the cooldown ends", function()
  t.receive("price", { bitcoin = "69900" })
  t.state { price = 69900.0 }
  t.receive("price", { bitcoin = "70010" })
  t.state { price = 70010.0 }
  t.alert { rule = "over level" }
  t.receive("price", { bitcoin = "69700" })
  t.state { price = 69700.0 }
  t.resolved { rule = "over level" }
  t.receive("price", { bitcoin = "70030" })
  t.state { price = 70030.0 }
  t.advance("10m")
  t.alert { rule = "over level" }
end)

it("does not repeat itself after a restart", function()
  t.receive("price", { bitcoin = "69900" })
  t.state { price = 69900.0 }
  t.receive("price", { bitcoin = "70010" })
  t.state { price = 70010.0 }
  t.alert { rule = "over level" }
  t.restart()
  t.receive("price", { bitcoin = "70050" })
  t.state { price = 70050.0 }
end)

it("counts on over a restart", function()
  t.receive("price", { bitcoin = "70010" })
  t.state { price = 70010.0 }
  t.advance("20m")
  t.restart()
  t.receive("price", { bitcoin = "70050" })
  t.state { price = 70050.0 }
  t.advance("9m")
  t.advance("1m")
  t.alert { rule = "stays over", text = "bitcoin stays over 70000, at 70050.00" }
end)
