-- Follows the trades of many symbols: a moving average of the last prices each, and an alert for a price far above.
local M = {}

local p = params { count = 20, percent = 0.2 }

M.key = "symbol"
M.state = { price = 0.0, volume = 0.0, mean = stats.sma { count = p.count } }

local above_mean = alert.rule {
  name = "above mean",
  above = p.percent,
  clear_below = 0,
  text = function(percent, data)
    return ("%s is %.2f %% from the mean of its last %d trades"):format(data.symbol, percent, p.count)
  end,
}

M.on = {}

function M.on.trade(state, message)
  state.price = num(message.price)
  state.volume = state.volume + num(message.quantity)
  -- There is no mean before the window is full.
  local mean = stats.add(state.mean, state.price)
  if mean then above_mean:check((state.price / mean - 1) * 100, { symbol = message.symbol }) end
end

return M
