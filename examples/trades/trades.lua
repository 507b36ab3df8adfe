-- Follows the trades of many symbols: a moving average of the last prices each, and an alert for a price far above.
local M = {}

local p = params { count = 20, percent = 0.2 }

M.key = "symbol"
M.state = { price = 0.0, mean = json.null, volume = 0.0, prices = {} }

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

  local prices = state.prices
  table.insert(prices, state.price)
  if #prices > p.count then table.remove(prices, 1) end
  if #prices < p.count then return end

  local sum = 0.0
  for i = 1, #prices do sum = sum + prices[i] end
  state.mean = sum / #prices
  above_mean:check((state.price / state.mean - 1) * 100, { symbol = message.symbol })
end

return M
