-- The tracker for the ticker of Coinbase Exchange, whose messages look like
-- {"type":"ticker","product_id":"BTC-USD","price":67123.45, …} once the preset has made numbers of their texts.
local M = require "bitcoin_tracker"

M.on = {}

function M.on.ticker(state, message)
  if message.type == "ticker" then
    state.price = message.price
  elseif message.type == "error" then
    log.error("Coinbase says", message.message)
  end
end

return M
