// JSON → Lua → JSON: what is accepted comes back the same by each way, what is refused has a place.

//
// A handler that only reads fields has the same from its table as another from the message. And a document is the same
// tree whatever was parsed before it: its own shape, that of another, or nothing.

#include "json.h"
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

static std::string reading(const char *start) {
  return std::string("local M = { state = { a = json.null, b = json.null, n = json.null, seen = '' }, on = {} }\n"
                     "function M.on.feed(state, m) ") + start + R"lua(
  state.a, state.b = m.a, m.b
  state.seen = type(m.a) .. type(m[""]) .. type(m.c and m.c.d) .. json.encode { m.asd }
  state.n = num(m.n)
end
return M
)lua";
}

// Hands a message to both, one after the other of whatever came before.
static void compare_readers(const uint8_t *data, size_t size) {
  static Machine table(reading("")), handle(reading("local other = m"));
  if (!table.loaded || !handle.loaded) must_not_be("the readers aren't loaded", table.reason(), handle.reason());
  const bool good = table.receive(data, size, false);
  if (handle.receive(data, size, false) != good) must_not_be("one reader fails", table.reason(), handle.reason());
  if (!good && table.failure.outcome == SCRIPT_ERROR && table.reason() != handle.reason())
    must_not_be("another reason", table.reason(), handle.reason());
  if (table.row() != handle.row()) must_not_be("another state", table.row(), handle.row());
}

// What a tree makes of a text: its nodes, or the fault.
static std::string parsed(json_tree *tree, const std::string &text) {
  const std::string padded = text + std::string(32, '\0');
  tree->count = 0;
  if (!json_parse(tree, padded.data(), text.size(), 64)) return tree->fault + std::to_string(tree->fault_offset);
  return std::string(reinterpret_cast<const char *>(tree->nodes), tree->count * sizeof(json_node));
}

static void compare_trees(const std::string &text, json_tree *tree, const char *before) {
  json_tree fresh = {};
  if (parsed(&fresh, text) != parsed(tree, text)) must_not_be(before, text);
  json_tree_free(&fresh);
}

static void compare_shapes(const std::string &text) {
  static json_tree last;
  compare_trees(text, &last, "another tree after another document");
  json_tree_free(&last);
  parsed(&last, text);
  compare_trees(text, &last, "another tree after the same document");
  // A byte less, one more, and one that is another.
  for (size_t at = text.size() / 2; at < text.size(); at += 1 + text.size() / 8) {
    compare_trees(text.substr(0, at) + text.substr(at + 1), &last, "another tree with a byte less");
    compare_trees(text.substr(0, at) + " " + text.substr(at), &last, "another tree with a space more");
    compare_trees(text.substr(0, at) + "e" + text.substr(at + 1), &last, "another tree with another byte");
    compare_trees(text.substr(0, at), &last, "another tree of the beginning");
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  compare_readers(data, size);
  compare_shapes(std::string(reinterpret_cast<const char *>(data), size));
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
