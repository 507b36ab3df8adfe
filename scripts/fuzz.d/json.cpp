// JSON → Lua → JSON: what is accepted comes back the same by each way, what is refused has a place.

#include "machine.h"

static const char source[] = R"lua(
local M = { state = { kept = json.null, decoded = json.null, copied = json.null, text = "" }, on = {} }

local function copy(value)
  if type(value) ~= "table" then return value end
  local result = json.encode(value):sub(1, 1) == "[" and json.array {} or {}
  for key, item in pairs(value) do result[key] = copy(item) end
  return result
end

function M.on.feed(state, m)
  local text = json.encode(m)
  local decoded = json.decode(text)
  if json.encode(decoded) ~= text then error("DIFFERENT: text") end
  local copied = copy(m)
  if json.encode(copied) ~= text then error("DIFFERENT: copy " .. json.encode(copied)) end
  state.kept, state.decoded, state.copied, state.text = m, decoded, copied, text
end

return M
)lua";

static const char reader[] = R"lua(
local M = { state = { kept = json.null, decoded = json.null, copied = json.null, text = "" }, on = {} }
function M.on.feed(state)
  for _, field in ipairs { "kept", "decoded", "copied" } do
    if json.encode(state[field]) ~= state.text and not state.text:find("$", 1, true) then error("DIFFERENT: " .. field) end
  end
end
return M
)lua";

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Machine machine(source), twin(source), other(reader);
  if (!machine.loaded || !other.loaded) must_not_be("the script isn't loaded", machine.reason(), other.reason());
  const bool good = machine.receive(data, size, false);
  uint32_t offset = 0;
  script_text reason;
  if (script_batch_fault(machine.batch(), 0, &offset, &reason)) {
    if (offset > size || reason.count == 0) must_not_be("a fault without a place", text_of(reason));
    return 0;
  }
  if (!good) {
    if (machine.reason().find("DIFFERENT") != std::string::npos) must_not_be("changed", machine.reason());
    if (machine.failure.outcome == SCRIPT_ERROR && machine.reason().find("limit") == std::string::npos &&
        machine.reason().find("nested") == std::string::npos)
      must_not_be("refused", machine.reason());
    return 0;
  }
  const std::string row = machine.row();
  twin.restore(row);
  if (twin.row() != row) must_not_be("another row", row, twin.row());
  other.restore(row);
  if (!other.receive("{}", 2, false) && other.failure.outcome == SCRIPT_ERROR) must_not_be("changed by storing", other.reason(), row);
  return 0;
}
