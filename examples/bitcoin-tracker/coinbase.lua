-- The tracker for the ticker of Coinbase Exchange, whose messages look like
-- {"type":"ticker","product_id":"BTC-USD","price":"67123.45", …}
local M = require "bitcoin_tracker"

M.on = {}

function M.on.ticker(state, message)
  -- The feed also confirms subscriptions and reports errors.
  if message.type == "ticker" then
    state.price = num(message.price)
  elseif message.type == "error" then
    log.error("Coinbase says", message.message)
  end
end

return M
