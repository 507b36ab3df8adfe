-- Tells when the load of the machine is far above what it usually is.
local M = {}

local p = params { times = 2, least = 1 }

local busy = alert.rule {
  name = "busy", above = p.times, clear_below = (1 + p.times) / 2, for_duration = "10s", severity = "warning",
  text = function(times) return ("the load is %.1f times its mean"):format(times) end,
}

M.on = {}

function M.on.load(_, load)
  busy:check(load.value / math.max(load.mean, p.least))
end

return M
