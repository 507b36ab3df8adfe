-- trades.lua of the replays, and an answer where the blaster wants one.
local M = {}

local p = params { level = 67000, sources = 1 }

M.key = "symbol"
M.state = { price = 0.0, mean = 0.0, volume = 0.0, bought = 0.0, trades = 0, last_id = 0, last_time = 0 }

local over = alert.rule {
  name = "over level", crosses_above = p.level, clear_below = p.level - 120, severity = "warning",
  text = function(price) return ("mean price at %.2f"):format(price) end,
}

local function trade(state, message, ctx)
  local price = num(message.price)
  local amount = num(message.amount)
  state.price = price
  if state.trades == 0 then state.mean = price end
  state.mean = state.mean + (price - state.mean) * 0.05
  state.volume = state.volume + amount
  if message.side == "buy" then state.bought = state.bought + amount end
  state.trades = state.trades + 1
  state.last_id = message.id
  state.last_time = message.time
  over:check(state.mean)
  if message.stamp then effect.send(ctx.source, { stamp = message.stamp }) end
end

M.on = {}
for n = 1, p.sources do M.on["trade" .. n] = trade end

return M
