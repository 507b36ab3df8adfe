-- Keeps order books from a snapshot by HTTP and the changes that a feed sends, and tells of a wide spread.
-- Messages are those of Binance's diff depth stream: U and u are the first and the last update they cover.
local M = {}

local p = params {
  snapshot = "https://api.binance.com/api/v3/depth?symbol=%s&limit=1000",
  wide = 20,            -- basis points
  kept = 1000,          -- changes that wait for a snapshot at most
}

M.key = "s"
-- While there is no book, changes wait; a level of the book is its quantity by its price.
M.state = { last = json.null, bids = {}, asks = {}, waiting = {}, asked = false }

local wide = alert.rule {
  name = "wide spread", above = p.wide, clear_below = p.wide / 2, for_duration = "5s", severity = "warning",
  text = function(spread) return ("the spread is %.1f basis points"):format(spread) end,
}

local function set(levels, changes)
  for _, change in ipairs(changes) do
    local quantity = num(change[2])
    levels[change[1]] = quantity > 0 and quantity or nil
  end
end

local function apply(state, change)
  set(state.bids, change.b)
  set(state.asks, change.a)
  state.last = change.u
end

local function check(state)
  local bid, ask = 0, math.huge
  for price in pairs(state.bids) do bid = math.max(bid, num(price)) end
  for price in pairs(state.asks) do ask = math.min(ask, num(price)) end
  if bid > 0 and ask < math.huge then wide:check((ask - bid) / bid * 10000) end
end

-- Begins anew: what is known is worth nothing once a change is missing.
local function ask(state, symbol)
  state.last, state.bids, state.asks = json.null, {}, {}
  if state.asked then return end
  state.asked = true
  effect.http { url = p.snapshot:format(symbol), reply = "snapshot", id = "snapshot", pace = "500ms" }
end

M.on = {}

function M.on.depth(state, message, ctx)
  if state.last ~= json.null then
    apply(state, message)
    return check(state)
  end
  if #state.waiting == p.kept then table.remove(state.waiting, 1) end
  table.insert(state.waiting, message)
  ask(state, ctx.key)
end

M.events = {}

function M.events.gap(state, event, ctx)
  if event.reason == "duplicate" or ctx.key == "" then return end
  state.waiting = {}
  ask(state, ctx.key)
end

M.actions = {}

function M.actions.snapshot(state, reply, ctx)
  state.asked = false
  if not reply.ok then
    log.warn("no snapshot of", ctx.key, reply.error or reply.status)
    return effect.after("5s", "retry")
  end
  local book = reply.json
  set(state.bids, book.bids)
  set(state.asks, book.asks)
  state.last = book.lastUpdateId
  for _, change in ipairs(state.waiting) do
    if change.U > state.last + 1 then
      -- The snapshot is older than the first change that waited.
      log.info("the snapshot of", ctx.key, "is too old")
      state.last = json.null
      return effect.after("1s", "retry")
    end
    if change.u > state.last then apply(state, change) end
  end
  state.waiting = {}
  check(state)
end

function M.actions.retry(state, _, ctx)
  if state.last == json.null then ask(state, ctx.key) end
end

return M
