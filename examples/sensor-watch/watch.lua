-- Watches sensors: too warm, silent, and a summary in the morning.
local M = {}

local p = params { limit = 30, clear = 28, silence = "10m" }

M.key = "sensor"
M.state = { celsius = json.null, highest = json.null, readings = 0 }

local warm = alert.rule {
  name = "too warm", above = p.limit, clear_below = p.clear, for_duration = "1m", severity = "warning",
  text = function(value) return ("%.1f °C, above %g"):format(value, p.limit) end,
}

local silent = alert.rule { name = "silent", no_data_for = p.silence, severity = "critical" }

M.on = {}

function M.on.reading(state, message, ctx)
  state.celsius = num(message.celsius)
  state.highest = state.highest == json.null and state.celsius or math.max(state.highest, state.celsius)
  state.readings = state.readings + 1
  warm:check(state.celsius)
  silent:check(state.celsius)
end

M.timers = { summary = daily("08:00", "Europe/Berlin") }
M.actions = {}

-- Runs under the empty key, and sees the states of all sensors.
function M.actions.summary(state, payload, ctx)
  local lines = {}
  for sensor, s in each_key() do
    if s.highest ~= json.null then
      lines[#lines + 1] = ("%s up to %.1f °C"):format(sensor, s.highest)
    end
  end
  if #lines == 0 then return end
  alert.send { name = "summary", text = table.concat(lines, ", "), severity = "info" }
end

return M
