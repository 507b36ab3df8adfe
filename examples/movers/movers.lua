-- Tells which of many symbols move fast, at most once an hour each, and sums up the day.
local M = {}

local p = params { percent = 3, within = "5m" }

M.key = "symbol"
M.state = { price = json.null, day = 0, open = 0 }

local move = alert.rule {
  name = "mover", changes_by = { percent = p.percent, within = p.within }, cooldown = "1h", resolve = false,
  text = function(price) return ("%g, more than %g %% within %s"):format(price, p.percent, p.within) end,
}

M.on = {}

function M.on.trade(state, message, ctx)
  state.price = num(message.price)
  local day = ctx.time // 86400000
  if state.day ~= day then state.day, state.open = day, state.price end
  move:check(state.price)
end

M.timers = { summary = daily("08:00", "Europe/Berlin") }
M.actions = {}

-- What moved most since midnight UTC.
function M.actions.summary(_, _, ctx)
  local best, worst
  for symbol, s in each_key() do
    if s.day == ctx.time // 86400000 then
      local mover = { symbol = symbol, percent = (s.price / s.open - 1) * 100 }
      if not best or mover.percent > best.percent then best = mover end
      if not worst or mover.percent < worst.percent then worst = mover end
    end
  end
  if not best then return end
  local text = ("%s %+.1f %%, %s %+.1f %%"):format(best.symbol, best.percent, worst.symbol, worst.percent)
  alert.send { name = "summary", text = text }
end

return M
