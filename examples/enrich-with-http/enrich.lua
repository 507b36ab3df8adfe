-- Tells of large trades with the range of the day, which it asks the exchange for once a burst is over.
local M = {}

local p = params {
  stats = "https://api.exchange.coinbase.com/products/%s/stats",
  large = 100000.0,     -- the worth from which a trade is large
  quiet = "500ms",      -- how long no large trade may come before the look-up
}

M.key = "product_id"
M.state = { trade = {}, told = 0 }

M.on = {}

function M.on.trade(_, message)
  -- The feed also confirms subscriptions.
  if message.type ~= "match" then return end
  local price, size = num(message.price), num(message.size)
  if price * size < p.large then return end
  effect.debounce(p.quiet, "look_up", { price = price, size = size })
end

M.actions = {}

function M.actions.look_up(state, trade, ctx)
  state.trade = trade
  -- With an id a newer look-up takes the place of one that is still under way.
  effect.http {
    url = p.stats:format(ctx.key), reply = "found", id = "stats", timeout = "5s", pace = "200ms",
  }
end

function M.actions.found(state, reply, ctx)
  if reply.error == "replaced" then return end
  local trade = state.trade
  local text = ("%s: %g traded at %.2f"):format(ctx.key, trade.size, trade.price)
  if reply.ok then
    text = text .. ("; the day's range is %s to %s"):format(reply.json.low, reply.json.high)
  else
    log.warn("no range of the day for", ctx.key, reply.error or reply.status)
  end
  state.told = state.told + 1
  alert.send { name = "large trade", text = text }
end

return M
