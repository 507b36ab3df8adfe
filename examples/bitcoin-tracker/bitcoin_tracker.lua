-- Keeps the current price of bitcoin and the state of its connection: connecting, connected or disconnected.
local M = {}

-- With turns it looks at the feed now and then: it disconnects after open_for and connects again after closed_for.
local p = params { turns = false, open_for = "10s", closed_for = "5s" }

M.state = { connection = "disconnected", price = json.null }

M.on = {}

function M.on.price(state, message)
  state.price = num(message.bitcoin)
end

M.events = {}

function M.events.connection(state, event)
  state.connection = event.state
  if event.state == "connected" then
    alert.send { name = "connection", text = "connected to " .. event.source }
    if p.turns then effect.after(p.open_for, "close", event.source) end
  elseif event.state == "disconnected" then
    local price = state.price == json.null and "no price yet" or ("the last price is %.2f"):format(state.price)
    alert.send { name = "connection", text = "disconnected from " .. event.source .. "; " .. price }
    if p.turns then effect.after(p.closed_for, "open", event.source) end
  end
end

M.actions = {}

function M.actions.close(_, source)
  effect.disconnect(source)
end

function M.actions.open(_, source)
  effect.connect(source)
end

return M
