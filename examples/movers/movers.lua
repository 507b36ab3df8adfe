-- Tells which of many symbols move fast, at most once an hour each, and sums up the day.
local M = {}

local p = params { percent = 3, within = "5m" }

M.key = "symbol"
M.state = { price = json.null }

local move = alert.rule {
  name = "mover", changes_by = { percent = p.percent, within = p.within }, cooldown = "1h", resolve = false,
  text = function(price) return ("%g, more than %g %% within %s"):format(price, p.percent, p.within) end,
}

M.on = {}

function M.on.trade(state, message, ctx)
  state.price = num(message.price)
  move:check(state.price)
end

M.timers = { summary = daily("08:00", "Europe/Berlin") }
M.actions = {}

function M.actions.summary(state, payload, ctx)
  local count, highest, name = 0, 0, nil
  for symbol, s in each_key() do
    if s.price ~= json.null then
      count = count + 1
      if s.price > highest then highest, name = s.price, symbol end
    end
  end
  if count == 0 then return end
  alert.send { name = "summary", text = ("%d symbols, %s highest at %g"):format(count, name, highest) }
end

return M
