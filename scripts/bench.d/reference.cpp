// The denominator of scripts/bench: what a C program needs for the same job with the same Lua.
//
//   reference SCRIPT INPUT RECORDING
//
// It reads a recording (a JSON message a line), decodes it, calls the script's handler M.on.INPUT for each message and
// writes the alerts of its rules to standard output. The Lua, the memory arena, the JSON decoder and the numbers are
// those of the host; state is an ordinary Lua table a key. It does without everything else: no undo, no limits, no
// checks of state, no storage, no timers. A message is one userdata, used again and again, so a script that keeps one
// reads the next: that would be a fault in a host, and it is the cheapest way.

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "arena.h"
#include "batch.h"

namespace {

constexpr uint32_t batch_limit = 512;

// --- The machine's memory

void *allocate(void *context, void *block, size_t old_size, size_t new_size) {
  arena *memory = static_cast<arena *>(context);
  if (!block) old_size = 0;
  const bool was_small = old_size <= ARENA_SMALL, is_small = new_size <= ARENA_SMALL;
  if (new_size == 0) {
    if (!block) return nullptr;
    if (was_small) arena_give(memory, block, old_size);
    else arena_large_resize(memory, block, old_size, 0);
    return nullptr;
  }
  if (!block) return is_small ? arena_take(memory, new_size) : arena_large_resize(memory, nullptr, 0, new_size);
  if (!was_small && !is_small) return arena_large_resize(memory, block, old_size, new_size);
  if (was_small && is_small && arena_class(old_size) == arena_class(new_size)) return block;
  void *moved = is_small ? arena_take(memory, new_size) : arena_large_resize(memory, nullptr, 0, new_size);
  if (!moved) return nullptr;
  std::memcpy(moved, block, old_size < new_size ? old_size : new_size);
  if (was_small) arena_give(memory, block, old_size);
  else arena_large_resize(memory, block, old_size, 0);
  return moved;
}

// --- Keys by text

class Keys {
 public:
  Keys() : slots(1024, none) {}

  uint32_t find_or_make(const char *bytes, size_t count) {
    uint64_t hash = 14695981039346656037ull;
    for (size_t i = 0; i < count; i++) hash = (hash ^ uint8_t(bytes[i])) * 1099511628211ull;
    size_t slot = hash & (slots.size() - 1);
    while (slots[slot] != none) {
      const std::string &name = names[slots[slot]];
      if (name.size() == count && std::memcmp(name.data(), bytes, count) == 0) return slots[slot];
      slot = (slot + 1) & (slots.size() - 1);
    }
    const uint32_t key = uint32_t(names.size());
    names.emplace_back(bytes, count);
    hashes.push_back(hash);
    slots[slot] = key;
    if (names.size() * 2 > slots.size()) grow();
    return key;
  }

  std::vector<std::string> names;

 private:
  static constexpr uint32_t none = UINT32_MAX;

  void grow() {
    slots.assign(slots.size() * 2, none);
    for (uint32_t key = 0; key < hashes.size(); key++) {
      size_t slot = hashes[key] & (slots.size() - 1);
      while (slots[slot] != none) slot = (slot + 1) & (slots.size() - 1);
      slots[slot] = key;
    }
  }

  std::vector<uint64_t> hashes;
  std::vector<uint32_t> slots;
};

// --- The program's state

enum class Phase : uint8_t { unknown, clear, firing };

struct RuleState {
  double last = 0;
  int64_t last_time = 0;
  Phase phase = Phase::unknown;
};

struct Rule {
  std::string name, severity;
  double level, clear_level;
  int text = LUA_NOREF;
  std::vector<RuleState> states;  // by key
};

struct Program {
  arena memory;
  script_batch *batch = nullptr;
  const json_node *root = nullptr;  // of the message in hand
  const char *text = nullptr;
  int64_t time = 0;
  uint32_t key = 0;
  Keys keys;
  std::vector<Rule> rules;
  std::string key_path;
  int handler = LUA_NOREF, states = LUA_NOREF, defaults = LUA_NOREF, message = LUA_NOREF, context = LUA_NOREF;
  uint64_t handled = 0, alerts = 0;
};

Program program;

// --- What the script sees

struct Node {
  uint32_t index;
};

// A rule as a userdata, told from a message by its first word, which is no index: cheaper than luaL_checkudata.
struct RuleHandle {
  static constexpr uint32_t mark = 0x52554C45;
  uint32_t kind, index;
};

void push_node(lua_State *L, uint32_t index) {
  const json_node &node = program.root[index];
  const char *content = program.text + node.start;
  switch (node.type) {
    case JSON_NULL: lua_pushlightuserdata(L, nullptr); break;
    case JSON_FALSE: lua_pushboolean(L, 0); break;
    case JSON_TRUE: lua_pushboolean(L, 1); break;
    case JSON_INTEGER: lua_pushinteger(L, json_integer(content, node.length)); break;
    case JSON_FLOAT: lua_pushnumber(L, json_double(content, node.length)); break;
    case JSON_BIG: lua_pushlstring(L, content, node.length); break;
    case JSON_STRING:
      if (node.flags & JSON_ESCAPED) {
        luaL_Buffer buffer;
        char *plain = luaL_buffinitsize(L, &buffer, node.length);
        luaL_pushresultsize(&buffer, json_unescape(content, node.length, plain));
      } else {
        lua_pushlstring(L, content, node.length);
      }
      break;
    default:
      static_cast<Node *>(lua_newuserdatauv(L, sizeof(Node), 0))->index = index;
      luaL_setmetatable(L, "message");
  }
}

int message_index(lua_State *L) {
  const uint32_t object = static_cast<Node *>(lua_touserdata(L, 1))->index;
  uint32_t found = 0;
  if (lua_type(L, 2) == LUA_TSTRING) {
    size_t length;
    const char *name = lua_tolstring(L, 2, &length);
    found = json_member(program.root, program.text, object, name, length);
  } else if (lua_isinteger(L, 2) && program.root[object].type == JSON_ARRAY) {
    lua_Integer item = lua_tointeger(L, 2);
    if (item >= 1 && item <= lua_Integer(program.root[object].length))
      for (found = object + 1; item > 1; item--) found = program.root[found].next;
  }
  if (!found) return 0;
  push_node(L, found);
  return 1;
}

int context_index(lua_State *L) {
  const char *name = luaL_checkstring(L, 2);
  if (std::strcmp(name, "key") == 0) lua_pushstring(L, program.keys.names[program.key].c_str());
  else if (std::strcmp(name, "time") == 0) lua_pushinteger(L, program.time);
  else lua_pushnil(L);
  return 1;
}

int num(lua_State *L) {
  if (lua_type(L, 1) == LUA_TNUMBER) {
    lua_pushnumber(L, lua_tonumber(L, 1));
    return 1;
  }
  size_t length = 0;
  double number;
  const char *text = lua_type(L, 1) == LUA_TSTRING ? lua_tolstring(L, 1, &length) : nullptr;
  if (!text || !json_number_text(text, length, &number)) return luaL_error(L, "num: expected a number or its text");
  lua_pushnumber(L, number);
  return 1;
}

int params(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  return 1;
}

// --- Rules: crosses_above with a level to clear at

void write_text(const char *bytes, size_t count) {
  std::fputc('"', stdout);
  for (size_t i = 0; i < count; i++) {
    const unsigned char c = static_cast<unsigned char>(bytes[i]);
    if (c == '"' || c == '\\') std::fprintf(stdout, "\\%c", c);
    else if (c < 0x20) std::fprintf(stdout, "\\u%04x", c);
    else std::fputc(c, stdout);
  }
  std::fputc('"', stdout);
}

void write_alert(lua_State *L, const Rule &rule, const char *kind, double value) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, rule.text);
  lua_pushnumber(L, value);
  lua_call(L, 1, 1);
  size_t length = 0;
  const char *text = luaL_checklstring(L, -1, &length);
  std::fprintf(stdout, "{\"time\":%lld,\"kind\":\"%s\",\"severity\":\"%s\",\"name\":", (long long)program.time, kind,
               rule.severity.c_str());
  write_text(rule.name.data(), rule.name.size());
  std::fputs(",\"key\":", stdout);
  const std::string &key = program.keys.names[program.key];
  write_text(key.data(), key.size());
  std::fputs(",\"text\":", stdout);
  write_text(text, length);
  std::fprintf(stdout, ",\"value\":%.17g}\n", value);
  lua_pop(L, 1);
  program.alerts++;
}

int rule_check(lua_State *L) {
  auto handle = static_cast<const RuleHandle *>(lua_touserdata(L, 1));
  if (!handle || handle->kind != RuleHandle::mark) return luaL_typeerror(L, 1, "rule");
  Rule &rule = program.rules[handle->index];
  const double value = luaL_checknumber(L, 2);
  if (program.key >= rule.states.size()) rule.states.resize(program.keys.names.size());
  RuleState &state = rule.states[program.key];
  switch (state.phase) {
    case Phase::unknown: state.phase = value < rule.level ? Phase::clear : Phase::firing; break;
    case Phase::clear:
      if (value < rule.level) break;
      state.phase = Phase::firing;
      write_alert(L, rule, "fired", value);
      break;
    case Phase::firing:
      if (value > rule.clear_level) break;
      state.phase = Phase::clear;
      write_alert(L, rule, "resolved", value);
  }
  state.last = value;
  state.last_time = program.time;
  return 0;
}

int rule_declare(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  Rule rule;
  lua_getfield(L, 1, "name");
  rule.name = luaL_checkstring(L, -1);
  lua_getfield(L, 1, "severity");
  rule.severity = luaL_checkstring(L, -1);
  lua_getfield(L, 1, "crosses_above");
  rule.level = luaL_checknumber(L, -1);
  lua_getfield(L, 1, "clear_below");
  rule.clear_level = luaL_optnumber(L, -1, rule.level);
  lua_getfield(L, 1, "text");
  luaL_checktype(L, -1, LUA_TFUNCTION);
  rule.text = luaL_ref(L, LUA_REGISTRYINDEX);
  *static_cast<RuleHandle *>(lua_newuserdatauv(L, sizeof(RuleHandle), 0)) = {
    RuleHandle::mark, uint32_t(program.rules.size())};
  luaL_setmetatable(L, "rule");
  program.rules.push_back(rule);
  return 1;
}

// --- Loading

void metatable(lua_State *L, const char *name, const char *member, lua_CFunction function) {
  luaL_newmetatable(L, name);
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, member);
  lua_pop(L, 1);
}

void open_library(lua_State *L) {
  luaL_openlibs(L);
  metatable(L, "message", "__index", message_index);
  metatable(L, "context", "__index", context_index);
  luaL_newmetatable(L, "rule");
  lua_newtable(L);
  lua_pushcfunction(L, rule_check);
  lua_setfield(L, -2, "check");
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
  lua_register(L, "num", num);
  lua_register(L, "params", params);
  lua_newtable(L);
  lua_pushcfunction(L, rule_declare);
  lua_setfield(L, -2, "rule");
  lua_setglobal(L, "alert");
  lua_newtable(L);
  lua_pushlightuserdata(L, nullptr);
  lua_setfield(L, -2, "null");
  lua_setglobal(L, "json");
  static_cast<Node *>(lua_newuserdatauv(L, sizeof(Node), 0))->index = 0;
  luaL_setmetatable(L, "message");
  program.message = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newuserdatauv(L, 1, 0);
  luaL_setmetatable(L, "context");
  program.context = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  program.states = luaL_ref(L, LUA_REGISTRYINDEX);
}

int load(lua_State *L) {
  auto arguments = static_cast<char **>(lua_touserdata(L, 1));
  open_library(L);
  if (luaL_loadfile(L, arguments[1]) != LUA_OK) return lua_error(L);
  lua_call(L, 0, 1);
  luaL_checktype(L, -1, LUA_TTABLE);
  if (lua_getfield(L, -1, "key") == LUA_TSTRING) program.key_path = lua_tostring(L, -1);
  lua_pop(L, 1);
  lua_getfield(L, -1, "state");
  luaL_checktype(L, -1, LUA_TTABLE);
  program.defaults = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_getfield(L, -1, "on");
  lua_getfield(L, -1, arguments[2]);
  luaL_checktype(L, -1, LUA_TFUNCTION);
  program.handler = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

// --- Handling

enum { DATA = 1, HANDLER, STATES, MESSAGE, CONTEXT, TOP = CONTEXT };

void push_state(lua_State *L) {
  if (lua_rawgeti(L, STATES, lua_Integer(program.key) + 1) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, program.defaults);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -5);
  }
  lua_pop(L, 1);
  lua_pushvalue(L, -1);
  lua_rawseti(L, STATES, lua_Integer(program.key) + 1);
}

int handle_batch(lua_State *L) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, program.handler);
  lua_rawgeti(L, LUA_REGISTRYINDEX, program.states);
  lua_rawgeti(L, LUA_REGISTRYINDEX, program.message);
  lua_rawgeti(L, LUA_REGISTRYINDEX, program.context);
  script_batch *batch = program.batch;
  const char *path = program.key_path.empty() ? nullptr : program.key_path.c_str();
  if (!path) program.key = program.keys.find_or_make("", 0);
  for (uint32_t index = 0; index < batch->count; index++) {
    const batch_message &message = batch->messages[index];
    if (message.fault) continue;
    program.root = batch->tree.nodes + message.root;
    program.text = batch->text + message.start;
    program.time = message.info.time;
    if (path) {
      script_text name;
      if (!script_batch_field(batch, index, path, &name)) continue;
      program.key = program.keys.find_or_make(name.bytes, name.count);
    }
    lua_pushvalue(L, HANDLER);
    push_state(L);
    lua_pushvalue(L, MESSAGE);
    lua_pushvalue(L, CONTEXT);
    lua_call(L, 3, 0);
    program.handled++;
  }
  return 0;
}

bool protect(lua_State *L, lua_CFunction function, void *data) {
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, data);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK) return true;
  std::fprintf(stderr, "reference: %s\n", lua_tostring(L, -1));
  return false;
}

bool flush(lua_State *L) {
  script_batch_decode(program.batch);
  const bool good = protect(L, handle_batch, nullptr);
  script_batch_clear(program.batch);
  return good;
}

// Reads the recording; a line that does not end yet waits for the next read.
bool read_recording(lua_State *L, FILE *file) {
  std::vector<char> buffer(256 << 10);
  size_t held = 0;
  int64_t time = 0;
  for (;;) {
    const size_t count = std::fread(buffer.data() + held, 1, buffer.size() - held, file);
    if (count == 0) break;
    const char *line = buffer.data(), *end = line + held + count;
    while (auto stop = static_cast<const char *>(std::memchr(line, '\n', size_t(end - line)))) {
      time++;
      script_batch_append(program.batch, line, size_t(stop - line), {time, time, 1, false, false});
      if (script_batch_count(program.batch) == batch_limit && !flush(L)) return false;
      line = stop + 1;
    }
    held = size_t(end - line);
    if (held == buffer.size()) buffer.resize(buffer.size() * 2), line = buffer.data();
    else std::memmove(buffer.data(), line, held);
  }
  return flush(L);
}

}  // namespace

int main(int count, char **arguments) {
  FILE *file = count == 4 ? std::fopen(arguments[3], "rb") : nullptr;
  if (!file) {
    std::fputs("usage: reference SCRIPT INPUT RECORDING\n", stderr);
    return 2;
  }
  arena_open(&program.memory);
  program.batch = script_batch_create(64);
  lua_State *L = lua_newstate(allocate, &program.memory);
  const bool good = protect(L, load, arguments) && read_recording(L, file);
  std::fprintf(stderr, "%llu messages, %llu alerts\n", (unsigned long long)program.handled,
               (unsigned long long)program.alerts);
  // The process ends here: nothing is given back piece by piece.
  return good && std::fflush(stdout) == 0 ? 0 : 1;
}
