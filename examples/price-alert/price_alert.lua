-- Tells when bitcoin rises to a level, once, when it has stayed over it, and when it has clearly fallen below it again.
local M = {}

local p = params { level = 70000, band = 200, cooldown = "10m", stay = "30m" }

M.state = { price = json.null }

local over = alert.rule {
  name = "over level",
  crosses_above = p.level,
  clear_below = p.level - p.band,
  cooldown = p.cooldown,
  severity = "warning",
  text = function(price) return ("bitcoin reached %.2f"):format(price) end,
}

local stays = alert.rule {
  name = "stays over",
  above = p.level,
  for_duration = p.stay,
  text = function(price) return ("bitcoin stays over %d, at %.2f"):format(p.level, price) end,
}

M.on = {}

function M.on.price(state, message)
  state.price = num(message.bitcoin)
  over:check(state.price)
  stays:check(state.price)
end

return M
