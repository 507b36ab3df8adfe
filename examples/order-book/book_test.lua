local function depth(first, last, bids, asks)
  return { e = "depthUpdate", s = "BTCUSDT", U = first, u = last, b = bids or {}, a = asks or {} }
end

local url = "https://api.binance.com/api/v3/depth?symbol=BTCUSDT&limit=1000"
local snapshot = {
  lastUpdateId = 100, bids = { { "100.0", "1" }, { "99.9", "5" } }, asks = { { "100.1", "2" }, { "100.2", "4" } },
}

-- A book as of update 100.
local function begun(t)
  t = t or test.script("book.lua")
  t.receive("depth", depth(98, 99))
  t.state("BTCUSDT", { asked = true, waiting = { depth(98, 99) } })
  t.effect { http = url }
  t.reply { json = snapshot }
  t.state("BTCUSDT", {
    asked = false, last = 100, waiting = {},
    bids = { ["100.0"] = 1.0, ["99.9"] = 5.0 }, asks = { ["100.1"] = 2.0, ["100.2"] = 4.0 },
  })
  return t
end

it("passes over changes that the snapshot has, and applies those behind it", function()
  local t = begun()
  t.receive("depth", depth(101, 102, { { "100.0", "0" } }, { { "100.1", "3" } }))
  t.state("BTCUSDT", {
    last = 102, bids = { ["99.9"] = 5.0 }, asks = { ["100.1"] = 3.0, ["100.2"] = 4.0 },
  })
end)

it("begins anew when a change is missing", function()
  local t = begun()
  t.gap("depth", { key = "BTCUSDT", missed = 3 })
  t.state("BTCUSDT", { asked = true, last = json.null, bids = {}, asks = {} })
  t.effect { http = url }
  t.receive("depth", depth(106, 107))
  t.state("BTCUSDT", { waiting = { depth(106, 107) } })
end)

it("sees by the numbers of the changes that one is missing", function()
  local t = begun(test.config("config.lua"))
  t.receive("depth", depth(100, 101, { { "99.9", "6" } }))
  t.state("BTCUSDT", { last = 101, bids = { ["100.0"] = 1.0, ["99.9"] = 6.0 } })
  t.receive("depth", depth(110, 111))
  t.state("BTCUSDT", { asked = true, last = json.null, bids = {}, asks = {}, waiting = { depth(110, 111) } })
  t.effect { http = url }
end)

it("passes over a change that comes again", function()
  local t = begun(test.config("config.lua"))
  local change = depth(100, 101, { { "99.9", "6" } })
  t.receive("depth", change)
  t.state("BTCUSDT", { last = 101, bids = { ["100.0"] = 1.0, ["99.9"] = 6.0 } })
  t.receive("depth", change)
  t.nothing()
end)

it("asks again when the snapshot is older than the changes that wait, or when there is none", function()
  local t = test.script("book.lua")
  t.receive("depth", depth(120, 121))
  t.state("BTCUSDT", { asked = true, waiting = { depth(120, 121) } })
  t.effect { http = url }
  t.reply { json = snapshot }
  t.log("info", "the snapshot of BTCUSDT is too old")
  t.state("BTCUSDT", {
    asked = false, bids = { ["100.0"] = 1.0, ["99.9"] = 5.0 }, asks = { ["100.1"] = 2.0, ["100.2"] = 4.0 },
  })
  t.advance("1s")
  t.state("BTCUSDT", { asked = true, bids = {}, asks = {} })
  t.effect { http = url }
  t.reply { status = 429 }
  t.log("warn", "no snapshot of BTCUSDT 429")
  t.state("BTCUSDT", { asked = false })
  t.advance("5s")
  t.state("BTCUSDT", { asked = true })
  t.effect { http = url }
end)

it("tells of a spread that stays wide", function()
  local t = begun()
  t.receive("depth", depth(101, 101, {}, { { "100.1", "0" }, { "100.2", "0" }, { "100.5", "1" } }))
  t.state("BTCUSDT", { last = 101, asks = { ["100.5"] = 1.0 } })
  t.advance("5s")
  t.alert { rule = "wide spread", key = "BTCUSDT", text = "the spread is 50.0 basis points" }
end)
