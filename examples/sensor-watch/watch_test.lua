local function script() return test.script("watch.lua", { now = "2026-07-01T12:00:00Z" }) end

it("tells of a sensor that stays too warm, not of a short peak, and when it has cooled down", function()
  local t = script()
  t.receive("reading", { sensor = "attic", celsius = 31 })
  t.state("attic", { celsius = 31.0, highest = 31.0, readings = 1 })
  t.advance("30s")
  t.receive("reading", { sensor = "attic", celsius = 27 })
  t.state("attic", { celsius = 27.0, readings = 2 })
  t.advance("5m")
  t.receive("reading", { sensor = "attic", celsius = 32 })
  t.state("attic", { celsius = 32.0, highest = 32.0, readings = 3 })
  t.advance("1m")
  t.alert { rule = "too warm", key = "attic", text = "32.0 °C, above 30" }
  -- Within the band between clear and limit it stays on.
  t.receive("reading", { sensor = "attic", celsius = 29 })
  t.state("attic", { celsius = 29.0, readings = 4 })
  t.receive("reading", { sensor = "attic", celsius = 27.5 })
  t.state("attic", { celsius = 27.5, readings = 5 })
  t.resolved { rule = "too warm", key = "attic" }
end)

it("tells of a sensor that falls silent, each for itself", function()
  local t = script()
  t.receive("reading", { sensor = "attic", celsius = 20 })
  t.state("attic", { celsius = 20.0, highest = 20.0, readings = 1 })
  t.advance("5m")
  t.receive("reading", { sensor = "cellar", celsius = 12 })
  t.state("cellar", { celsius = 12.0, highest = 12.0, readings = 1 })
  t.advance("5m")
  t.alert { rule = "silent", key = "attic", severity = "critical" }
  t.advance("5m")
  t.alert { rule = "silent", key = "cellar" }
end)

it("sums up each morning at eight", function()
  local t = script()
  t.receive("reading", { sensor = "attic", celsius = 20 })
  t.state("attic", { celsius = 20.0, highest = 20.0, readings = 1 })
  t.receive("reading", { sensor = "cellar", celsius = 12 })
  t.state("cellar", { celsius = 12.0, highest = 12.0, readings = 1 })
  t.advance("10m")
  t.alert { rule = "silent", key = "attic" }
  t.alert { rule = "silent", key = "cellar" }
  t.advance("18h")
  t.alert { name = "summary", text = "attic up to 20.0 °C, cellar up to 12.0 °C", time = 1782972000000 }
end)

it("keeps the nights quiet but for what is critical", function()
  local t = test.config("config.lua", { now = "2026-07-01T21:00:00Z" })
  t.receive("reading", { sensor = "attic", celsius = 31 })
  t.state("attic", { celsius = 31.0, highest = 31.0, readings = 1 })
  t.advance("1m")
  t.alert { rule = "too warm", to = { "log" } }
  t.advance("9m")
  t.alert { rule = "silent", to = { "screen", "log" } }
end)
