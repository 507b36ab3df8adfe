// Undo: a machine whose handlers fail now and then ends with the state of one that never saw those messages.

#include "machine.h"

static const char source[] = R"lua(
local M = { on = {} }
M.state = {
  list = {}, map = {}, deep = { { 1, 2, { x = 3 } } }, text = "", number = 0, any = json.null,
  mean = stats.sma { count = 3 }, low = stats.min { over = "5s" }, z = stats.zscore { over = "3s" },
  high = stats.max { count = 4 }, vwap = stats.vwap { over = "2s" }, rsi = stats.rsi { count = 2 },
  ema = stats.ema { over = "2s" }, rate = stats.rate { count = 3 },
}

local keys = { "a", "b", "", 1, 2, 3, 4.5, true, false, -1, 1 << 40, "$pairs", "$statistic" }
local statistics = { "mean", "low", "z", "high", "rsi", "ema", "rate" }

function M.on.feed(state, input)
  local at, node = 2, state.list
  local function byte()
    at = at + 1
    return input:byte(at) or 0
  end
  local function value()
    local kind = byte() % 12
    if kind < 3 then return byte() end
    if kind == 3 then return byte() / 8 end
    if kind == 4 then return ("x"):rep(byte() % 70) end
    if kind == 5 then return {} end
    if kind == 6 then return { byte(), { byte() } } end
    if kind == 7 then return { a = byte(), [byte() % 5] = true } end
    if kind == 8 then return node end
    if kind == 9 then return json.null end
    if kind == 10 then return state.map end
    return byte() % 2 == 0
  end
  local operations = {
    function() table.insert(node, value()) end,
    function() table.insert(node, byte() % 6 + 1, value()) end,
    function() table.remove(node) end,
    function() table.remove(node, byte() % 6 + 1) end,
    function() node[keys[byte() % #keys + 1]] = value() end,
    function() node[keys[byte() % #keys + 1]] = nil end,
    function() node[byte() % 8] = value() end,
    function() node = node[keys[byte() % #keys + 1]] end,
    function() node = state.list end,
    function() node = state.map end,
    function() node = state.deep end,
    function() node = state.any end,
    function() state.any = value() end,
    function() state.list = value() end,
    function() state.map = {} end,
    function() state.text = state.text .. byte() end,
    function() state.number = state.number + byte() end,
    function() state.any = nil end,
    function() table.sort(node) end,
    function() table.move(node, 1, byte() % 5, byte() % 5 + 1) end,
    function() for _ = 1, byte() % 70 do table.remove(node, 1) end end,
    function() for i = 1, byte() % 70 do table.insert(node, i) end end,
    function() stats.add(state[statistics[byte() % #statistics + 1]], byte() / 4) end,
    function() for i = 1, byte() do stats.add(state[statistics[byte() % #statistics + 1]], byte() * i) end end,
    function() stats.add(state.vwap, byte(), byte()) end,
    function() stats.reset(state[statistics[byte() % #statistics + 1]]) end,
    function() state[statistics[byte() % #statistics + 1]] = value() end,
    function() json.array(node) end,
    function() math.random() state.number = math.random(1000) end,
    function() local keep = node state.any = keep node = keep end,
    function() rawset(node, byte() % 4, value()) end,
    function() for key in pairs(node) do node[key] = nil end end,
  }
  while at < #input do
    local operation = operations[byte() % #operations + 1]
    local good = pcall(operation)
    if good and type(node) ~= "table" then node = state.map end
    if type(node) ~= "table" then node = {} end
  end
  if input:byte(1) % 4 == 0 then error("refused") end
  if input:byte(1) % 64 == 1 then while true do end end
end
return M
)lua";

// Messages are cut at 0xFF; a message begins with a byte that says how it ends and one for the time.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Machine machine(source, 200000), clean(source, 200000);
  if (!machine.loaded) must_not_be("the script isn't loaded", machine.reason());
  int64_t time = 0;
  for (size_t start = 0; start < size;) {
    size_t end = start;
    while (end < size && data[end] != 0xFF) end++;
    if (end - start > 2) {
      time += data[start + 1] * 20;
      const std::string before = machine.row();
      if (machine.receive(data + start, end - start, true, time)) {
        if (!clean.receive(data + start, end - start, true, time)) must_not_be("fails beside", clean.reason());
        if (machine.row() != clean.row()) must_not_be("another state", machine.row(), clean.row());
      } else if (machine.row() != before) {
        must_not_be("left by a failure", before, machine.row());
      }
    }
    start = end + 1;
  }
  Machine stored(source, 200000);
  stored.restore(machine.row());
  if (stored.row() != machine.row()) must_not_be("another row", machine.row(), stored.row());
  return 0;
}
