// Patterns: our matcher gives what liblua's gives, results and errors.

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "machine.h"

// The input: what to call, the lengths of pattern and replacement, a start; then pattern, replacement, subject.
static const char work[] = R"lua(
local function show(value)
  if type(value) ~= "string" then return tostring(value) end
  local parts = { '"' }
  for i = 1, #value do
    local byte = value:byte(i)
    parts[#parts + 1] = byte > 32 and byte < 127 and byte ~= 92 and string.char(byte) or ("\\%d."):format(byte)
  end
  parts[#parts + 1] = '"'
  return table.concat(parts)
end

local function results(...)
  local parts = {}
  for i = 1, select("#", ...) do parts[i] = show((select(i, ...))) end
  return table.concat(parts, " ")
end

local function all(s, p)
  local found = {}
  for a, b, c in string.gmatch(s, p) do
    found[#found + 1] = results(a, b, c)
    if #found > 50 then break end
  end
  return table.concat(found, ";")
end

local function work(input)
  if #input < 4 then return "" end
  local kind, pattern_length, replacement_length, at = input:byte(1, 4)
  pattern_length, replacement_length = pattern_length % 40, replacement_length % 20
  local p = input:sub(5, 4 + pattern_length)
  local r = input:sub(5 + pattern_length, 4 + pattern_length + replacement_length)
  local s = input:sub(5 + pattern_length + replacement_length)
  kind, at = kind % 8, at - 128
  if kind == 0 then return results(pcall(string.find, s, p, at)) end
  if kind == 1 then return results(pcall(string.find, s, p, at, true)) end
  if kind == 2 then return results(pcall(string.match, s, p, at)) end
  if kind == 3 then return results(pcall(all, s, p)) end
  if kind == 4 then return results(pcall(string.gsub, s, p, r)) end
  if kind == 5 then return results(pcall(string.gsub, s, p, r, at)) end
  if kind == 6 then return results(pcall(string.gsub, s, p, { a = "<A>", b = 1, [""] = "e", [1] = "one" })) end
  return results(pcall(string.gsub, s, p, function(a, b) return b or (a ~= "a" and a) end))
end
)lua";

static const std::string ours =
  std::string(work) +
  "local M = { state = { text = '' }, on = {} } function M.on.feed(state, m) state.text = work(m) end return M";

static lua_State *stock() {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  const std::string chunk = std::string(work) + "return work";
  if (luaL_loadbuffer(L, chunk.data(), chunk.size(), "@fuzz.lua") != LUA_OK || lua_pcall(L, 0, 1, 0) != LUA_OK)
    must_not_be(lua_tostring(L, -1));
  return L;
}

static bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Machine machine(ours, 500000);
  static lua_State *L = stock();
  if (!machine.loaded) must_not_be("the script isn't loaded", machine.reason());
  if (size > 300) return 0;
  if (!machine.receive(data, size, true)) {
    if (machine.failure.outcome == SCRIPT_ERROR) must_not_be("an error that isn't caught", machine.reason());
    return 0;  // too much work: liblua would take as long
  }
  lua_pushvalue(L, 1);
  lua_pushlstring(L, reinterpret_cast<const char *>(data), size);
  lua_call(L, 1, 1);
  const std::string theirs = lua_tostring(L, -1);
  lua_settop(L, 1);
  // The row quotes the text: compare what stands in it.
  std::string row = "{\"text\":\"";
  for (char c : theirs) {
    if (c == '"' || c == '\\') row.push_back('\\');
    row.push_back(c);
  }
  row.append("\"}");
  const std::string got = machine.row();
  if (got != row && !(has(row, "pattern too complex") || has(got, "pattern too complex")))
    must_not_be("another result", got, row);
  return 0;
}
