-- Tells when bitcoin rises to a level, once, and when it has clearly fallen below it again.
local M = {}

local p = params { level = 70000, band = 200, cooldown = "10m" }

M.state = { price = json.null }

local over = alert.rule {
  name = "over level",
  crosses_above = p.level,
  clear_below = p.level - p.band,
  cooldown = p.cooldown,
  severity = "warning",
  text = function(price) return ("bitcoin reached %.2f"):format(price) end,
}

M.on = {}

function M.on.price(state, message)
  state.price = num(message.bitcoin)
  over:check(state.price)
end

return M
