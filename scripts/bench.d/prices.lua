-- The small shape: one price of 22 bytes, one state, one crossing.
local M = {}

local p = params { level = 67000 }

M.state = { price = json.null, high = 0.0 }

local over = alert.rule {
  name = "over level", crosses_above = p.level, clear_below = p.level - 250, severity = "warning",
  text = function(price) return ("bitcoin at %.2f"):format(price) end,
}

M.on = {}
function M.on.price(state, message)
  state.price = num(message.bitcoin)
  state.high = math.max(state.high, state.price)
  over:check(state.price)
end

return M
