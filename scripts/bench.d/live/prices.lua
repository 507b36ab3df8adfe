-- prices.lua of the replays, and an answer where the blaster wants one.
local M = {}

local p = params { level = 67000, sources = 1 }

M.state = { price = json.null, high = 0.0 }

local over = alert.rule {
  name = "over level", crosses_above = p.level, clear_below = p.level - 250, severity = "warning",
  text = function(price) return ("bitcoin at %.2f"):format(price) end,
}

local function price(state, message, ctx)
  state.price = num(message.bitcoin)
  state.high = math.max(state.high, state.price)
  over:check(state.price)
  if message.stamp then effect.send(ctx.source, { stamp = message.stamp }) end
end

M.on = {}
for n = 1, p.sources do M.on["price" .. n] = price end

return M
