-- Third stage: the relative strength of closed bars, and an alert where it leaves the band.
local M = { on = {} }

local p = params { count = 14, high = 70, low = 30 }

M.key = "symbol"
M.state = { rsi = stats.rsi { count = p.count }, last = json.null }

local overbought = alert.rule {
  name = "overbought", above = p.high, clear_below = p.high - 5, severity = "warning",
  text = function(value) return ("RSI %.1f"):format(value) end,
}
local oversold = alert.rule {
  name = "oversold", below = p.low, clear_above = p.low + 5, severity = "warning",
  text = function(value) return ("RSI %.1f"):format(value) end,
}

function M.on.bar(state, bar)
  local value = stats.add(state.rsi, bar.close)
  if not value then return end
  state.last = value
  overbought:check(value)
  oversold:check(value)
end

return M
