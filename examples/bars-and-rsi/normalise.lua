-- First stage: brings two feeds into one form, { symbol, price }.
local M = { on = {} }

local names = { bitcoin = "BTC", BTCUSDT = "BTC", ethereum = "ETH", ETHUSDT = "ETH" }

-- {"bitcoin":"67123.45"}
function M.on.prices(state, message)
  for name, price in pairs(message) do
    if names[name] then emit("ticks", { symbol = names[name], price = num(price) }) end
  end
end

-- {"symbol":"BTCUSDT","price":"67123.45", …}
function M.on.trades(state, message)
  local symbol = names[message.symbol]
  if symbol then emit("ticks", { symbol = symbol, price = num(message.price) }) end
end

return M
