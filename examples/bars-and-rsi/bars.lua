-- Second stage: makes one-minute bars of ticks, one state for each symbol.
local M = { on = {}, actions = {} }

M.key = "symbol"
M.state = { start = json.null, open = 0, high = 0, low = 0, close = 0, ticks = 0 }

function M.on.tick(state, tick, ctx)
  if state.start == json.null then
    state.start = ctx.time - ctx.time % 60000
    state.open, state.high, state.low, state.ticks = tick.price, tick.price, tick.price, 0
    effect.at(state.start + 60000, "close")
  end
  state.high = math.max(state.high, tick.price)
  state.low = math.min(state.low, tick.price)
  state.close = tick.price
  state.ticks = state.ticks + 1
end

-- Falls due before a tick of the next minute, however the ticks come.
function M.actions.close(state, payload, ctx)
  local bar = {
    symbol = ctx.key, start = state.start, open = state.open, high = state.high, low = state.low,
    close = state.close, ticks = state.ticks,
  }
  emit("bars", bar)
  effect.publish("bars", bar)
  state.start = json.null
end

return M
