// The environment of a script, from an allow-list. Nothing here reaches files, time, other states or addresses.

#include <cmath>

#include "vm_internal.h"

namespace {

// --- Errors

int handler_guard(lua_State *L) {
  // The script's own message handler must not run for a condemned handler: hooks are off inside it.
  if (script_killed(L)) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

int finish_protected(lua_State *L, int status, int first) {
  if (script_killed(L)) return lua_error(L);
  lua_pushboolean(L, status == LUA_OK);
  lua_replace(L, first);
  return lua_gettop(L) - first + 1;
}

int base_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  script_charge(L, 4);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
  return finish_protected(L, status, 1);
}

int base_xpcall(lua_State *L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  script_charge(L, 4);
  int arguments = lua_gettop(L) - 2;
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handler_guard, 1);
  lua_replace(L, 2);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);
  // Stack: f, guard, guard, f, arguments…
  int status = lua_pcall(L, arguments, LUA_MULTRET, 3);
  lua_remove(L, 1);
  lua_remove(L, 1);
  return finish_protected(L, status, 1);
}

int base_error(lua_State *L) {
  int level = int(luaL_optinteger(L, 2, 1));
  lua_settop(L, 1);
  if (lua_type(L, 1) == LUA_TSTRING && level > 0) {
    luaL_where(L, level);
    lua_insert(L, 1);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

int base_assert(lua_State *L) {
  if (lua_toboolean(L, 1)) return lua_gettop(L);
  luaL_checkany(L, 1);
  if (lua_gettop(L) < 2) return luaL_error(L, "assertion failed!");
  lua_settop(L, 2);
  return lua_error(L);
}

// --- Types and text

const char *type_name(lua_State *L, int index) {
  if (lua_type(L, index) == LUA_TLIGHTUSERDATA) return values_is_null(L, index) ? "null" : "table";
  Handle *handle = values_handle(L, index);
  if (!handle) return luaL_typename(L, index);
  return handle->kind == HandleKind::rule ? "rule" : "table";
}

int base_type(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushstring(L, type_name(L, 1));
  return 1;
}

int base_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  sandbox_tostring(L, 1);
  return 1;
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

int base_tonumber(lua_State *L) {
  if (lua_isnoneornil(L, 2)) {
    luaL_checkany(L, 1);
    if (lua_type(L, 1) == LUA_TNUMBER) {
      lua_settop(L, 1);
      return 1;
    }
    size_t length;
    if (lua_type(L, 1) == LUA_TSTRING) {
      const char *text = lua_tolstring(L, 1, &length);
      script_charge(L, length / 16 + 1);
      if (length < 4096 && lua_stringtonumber(L, text) == length + 1) return 1;
    }
    luaL_pushfail(L);
    return 1;
  }
  lua_Integer base = luaL_checkinteger(L, 2);
  luaL_checktype(L, 1, LUA_TSTRING);
  luaL_argcheck(L, base >= 2 && base <= 36, 2, "base out of range");
  size_t length;
  const char *p = lua_tolstring(L, 1, &length), *end = p + length;
  script_charge(L, length / 16 + 1);
  auto space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (p < end && space(*p)) p++;
  bool negative = p < end && *p == '-';
  p += negative;
  uint64_t value = 0;
  bool any = false;
  for (; p < end && digit_value(*p) < base; p++, any = true) value = value * uint64_t(base) + uint64_t(digit_value(*p));
  while (p < end && space(*p)) p++;
  if (any && p == end)
    lua_pushinteger(L, lua_Integer(negative ? 0 - value : value));
  else
    luaL_pushfail(L);
  return 1;
}

int base_select(lua_State *L) {
  int count = lua_gettop(L);
  if (lua_type(L, 1) == LUA_TSTRING && *lua_tostring(L, 1) == '#') {
    lua_pushinteger(L, count - 1);
    return 1;
  }
  lua_Integer n = luaL_checkinteger(L, 1);
  if (n < 0) n = count + n;
  else if (n > count) n = count;
  luaL_argcheck(L, n >= 1, 1, "index out of range");
  return count - int(n);
}

// --- Raw access and metatables

bool is_state(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm_of(L)->state_metatable_ref);
  bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

int base_rawget(lua_State *L) {
  script_check_table(L, 1);
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  if (lua_type(L, 1) == LUA_TTABLE) lua_rawget(L, 1);
  else lua_gettable(L, 1);
  return 1;
}

int base_rawset(lua_State *L) {
  script_check_table(L, 1);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  if (lua_type(L, 1) == LUA_TTABLE && !is_state(L, 1)) lua_rawset(L, 1);
  else lua_settable(L, 1);
  lua_settop(L, 1);
  return 1;
}

int base_rawequal(lua_State *L) {
  luaL_checkany(L, 2);
  lua_pushboolean(L, lua_rawequal(L, 1, 2));
  return 1;
}

int base_rawlen(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) {
    lua_pushinteger(L, lua_Integer(lua_rawlen(L, 1)));
    return 1;
  }
  luaL_argexpected(L, script_is_table(L, 1), 1, "table or string");
  lua_pushinteger(L, script_length(L, 1));
  return 1;
}

int base_getmetatable(lua_State *L) {
  luaL_checkany(L, 1);
  if (values_is_null(L, 1) || !lua_getmetatable(L, 1)) return luaL_pushfail(L), 1;
  lua_pushliteral(L, "__metatable");
  if (lua_rawget(L, -2) == LUA_TNIL) lua_pop(L, 1);
  return 1;
}

int base_setmetatable(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
  if (lua_getmetatable(L, 1)) {
    lua_pushliteral(L, "__metatable");
    if (lua_rawget(L, -2) != LUA_TNIL) return luaL_error(L, "cannot change a protected metatable");
  }
  if (lua_istable(L, 2)) {
    for (const char *name : {"__gc", "__mode", "__close"}) {
      lua_pushstring(L, name);
      if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "a metatable can't have %s here", name);
      lua_pop(L, 1);
    }
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

// --- Ordered iteration: list part, then numbers, booleans, text by bytes

// Pushes the keys of the table or handle at `index` as a new list, in order, and returns how many.
lua_Integer push_keys(lua_State *L, int index);

int rank(lua_State *L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER: return 0;
    case LUA_TBOOLEAN: return 1;
    case LUA_TSTRING: return 2;
    default: return 3;
  }
}

bool key_less(lua_State *L, int a, int b) {
  int ra = rank(L, a), rb = rank(L, b);
  if (ra != rb) return ra < rb;
  if (ra == 0) return lua_compare(L, a, b, LUA_OPLT);
  if (ra == 1) return lua_toboolean(L, a) < lua_toboolean(L, b);
  size_t la, lb;
  const char *ta = lua_tolstring(L, a, &la), *tb = lua_tolstring(L, b, &lb);
  int order = memcmp(ta, tb, la < lb ? la : lb);
  return order != 0 ? order < 0 : la < lb;
}

bool item_less(lua_State *L, int keys, lua_Integer a, lua_Integer b) {
  lua_rawgeti(L, keys, a);
  lua_rawgeti(L, keys, b);
  bool less = key_less(L, -2, -1);
  lua_pop(L, 2);
  return less;
}

void item_swap(lua_State *L, int keys, lua_Integer a, lua_Integer b) {
  lua_rawgeti(L, keys, a);
  lua_rawgeti(L, keys, b);
  lua_rawseti(L, keys, a);
  lua_rawseti(L, keys, b);
}

// Sorts the keys behind the first `done`, by heap: no script can make it slow.
void sort_keys(lua_State *L, int keys, lua_Integer done, lua_Integer all) {
  const lua_Integer count = all - done;
  auto sift = [&](lua_Integer root, lua_Integer end) {
    for (lua_Integer child = root * 2; child <= end; child = root * 2) {
      if (child < end && item_less(L, keys, done + child, done + child + 1)) child++;
      if (!item_less(L, keys, done + root, done + child)) return;
      item_swap(L, keys, done + root, done + child);
      root = child;
    }
  };
  for (lua_Integer i = count / 2; i >= 1; i--) {
    script_charge(L, 8);
    sift(i, count);
  }
  for (lua_Integer end = count; end > 1; end--) {
    script_charge(L, 8);
    item_swap(L, keys, done + 1, done + end);
    sift(1, end - 1);
  }
}

lua_Integer push_keys(lua_State *L, int index) {
  script_vm *vm = vm_of(L);
  index = lua_absindex(L, index);
  lua_newtable(L);
  int keys = lua_gettop(L);
  lua_Integer count = 0;
  auto add = [&] { lua_rawseti(L, keys, ++count); };
  Handle *handle = values_handle(L, index);
  if (handle && handle->kind == HandleKind::key_view) {
    for (const std::string &field : vm->state.fields) {
      lua_pushlstring(L, field.data(), field.size());
      add();
    }
    return count;
  }
  if (const MessageHandle message = values_message(L, index)) {
    lua_Integer size = script_length(L, index);  // raises when it is stale
    const json_node *node = vm->root + message.node;
    script_charge(L, node->length + 1);
    if (node->type == JSON_ARRAY) {
      for (lua_Integer i = 1; i <= size; i++) {
        lua_pushinteger(L, i);
        add();
      }
      return count;
    }
    uint32_t previous = 0;
    bool sorted = true;
    for (uint32_t child = message.node + 1; child < node->next; child = vm->root[child + 1].next) {
      const json_node &name = vm->root[child];
      if (node->flags & JSON_DUPLICATES) {
        // Each name once: the value that counts is the last one's.
        const char *content = vm->text + name.start;
        if (!(name.flags & JSON_ESCAPED) &&
            json_member(vm->root, vm->text, message.node, content, name.length) != child + 1)
          continue;
        script_charge(L, node->length);
      }
      luaL_Buffer buffer;
      char *plain = luaL_buffinitsize(L, &buffer, name.length);
      luaL_pushresultsize(&buffer, json_unescape(vm->text + name.start, name.length, plain));
      add();
      if (previous) sorted = sorted && item_less(L, keys, count - 1, count);
      previous = child;
    }
    if (!sorted) sort_keys(L, keys, 0, count);
    return count;
  }
  if (handle) {
    uint32_t container;
    Container *owner = values_container(L, handle, &container);
    if (!owner) luaL_error(L, "a %s has no fields to walk", type_name(L, index));
    script_charge(L, owner->size() + owner->map.size() + 1);
    for (size_t i = 1; i <= owner->size(); i++) {
      lua_pushinteger(L, lua_Integer(i));
      add();
    }
    // Nothing in between may raise while an iterator lives: it holds nothing, so a raise would lose nothing.
    for (auto member = owner->map.begin(); member != owner->map.end(); ++member) {
      values_push_key(L, member->first);
      add();
    }
    return count;
  }
  while (lua_rawgeti(L, index, count + 1) != LUA_TNIL) {
    lua_pop(L, 1);
    script_charge(L, 1);
    lua_pushinteger(L, count + 1);
    add();
  }
  lua_pop(L, 1);
  const lua_Integer listed = count;
  bool sorted = true;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    if (lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= listed) continue;
    if (rank(L, -1) > 2) luaL_error(L, "a %s can't be a key: its order would be chance", type_name(L, -1));
    script_charge(L, 1);
    if (sorted && count > listed) {
      lua_rawgeti(L, keys, count);
      sorted = key_less(L, -1, -2);
      lua_pop(L, 1);
    }
    lua_pushvalue(L, -1);
    add();
  }
  if (!sorted) sort_keys(L, keys, listed, count);
  return count;
}

void push_value_of(lua_State *L, int table, int key) {
  key = lua_absindex(L, key);
  lua_pushvalue(L, key);
  if (lua_type(L, table) == LUA_TTABLE) lua_rawget(L, table);
  else lua_gettable(L, table);
}

// Upvalues: the table, its keys, the position.
int pairs_step(lua_State *L) {
  lua_settop(L, 0);
  lua_Integer position = lua_tointeger(L, lua_upvalueindex(3));
  for (;;) {
    if (lua_rawgeti(L, lua_upvalueindex(2), ++position) == LUA_TNIL) return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    push_value_of(L, 2, 1);
    if (!lua_isnil(L, 3)) break;
    lua_settop(L, 0);  // removed meanwhile
  }
  lua_pushinteger(L, position);
  lua_replace(L, lua_upvalueindex(3));
  lua_remove(L, 2);
  return 2;
}

int base_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  Handle *handle = values_handle(L, 1);
  if (!script_is_table(L, 1) && !(handle && handle->kind == HandleKind::key_view)) script_check_table(L, 1);
  lua_settop(L, 1);
  push_keys(L, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, pairs_step, 3);
  return 1;
}

// `next` has no place to keep its keys, so the last table's are kept here.
int base_next(lua_State *L) {
  script_check_table(L, 1);
  lua_settop(L, 2);
  lua_Integer position = 0;
  bool known = false;
  if (!lua_isnil(L, 2)) {
    lua_rawgeti(L, lua_upvalueindex(1), 1);
    if (lua_rawequal(L, 1, -1)) {
      lua_rawgeti(L, lua_upvalueindex(1), 3);
      position = lua_tointeger(L, -1);
      lua_rawgeti(L, lua_upvalueindex(1), 2);
      lua_rawgeti(L, -1, position);
      known = lua_rawequal(L, 2, -1);
    }
  }
  if (known) {
    lua_rawgeti(L, lua_upvalueindex(1), 2);
    lua_replace(L, 3);
    lua_settop(L, 3);
  } else {
    lua_settop(L, 2);
    lua_Integer count = push_keys(L, 1);
    position = 0;
    if (!lua_isnil(L, 2)) {
      for (position = 1; position <= count; position++) {
        script_charge(L, 1);
        lua_rawgeti(L, 3, position);
        bool same = lua_compare(L, 2, -1, LUA_OPEQ) && lua_type(L, 2) == lua_type(L, -1);
        lua_pop(L, 1);
        if (same) break;
      }
      if (position > count) return luaL_error(L, "the key given to 'next' is not in the table");
    }
    lua_pushvalue(L, 1);
    lua_rawseti(L, lua_upvalueindex(1), 1);
    lua_pushvalue(L, 3);
    lua_rawseti(L, lua_upvalueindex(1), 2);
  }
  for (;;) {
    lua_settop(L, 3);
    if (lua_rawgeti(L, 3, ++position) == LUA_TNIL) return 1;
    push_value_of(L, 1, 4);
    if (!lua_isnil(L, 5)) break;
  }
  lua_pushinteger(L, position);
  lua_rawseti(L, lua_upvalueindex(1), 3);
  return 2;
}

int ipairs_step(lua_State *L) {
  lua_Integer i = luaL_checkinteger(L, 2) + 1;
  lua_pushinteger(L, i);
  if (lua_type(L, 1) == LUA_TTABLE) lua_geti(L, 1, i);
  else script_get_item(L, 1, i);
  return lua_isnil(L, -1) ? 1 : 2;
}

int base_ipairs(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushcfunction(L, ipairs_step);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

// --- Lists of state through the table library, without a journal entry for each moved item

uint32_t state_list(lua_State *L, Container **owner) {
  Handle *handle = values_handle(L, 1);
  uint32_t index = 0;
  *owner = nullptr;
  if (!handle || !handle->writable) return 0;
  *owner = values_container(L, handle, &index);
  return index;
}

int table_insert(lua_State *L) {
  Container *owner;
  uint32_t index = state_list(L, &owner);
  if (!owner) return vm_of(L)->table_insert(L);
  int arguments = lua_gettop(L);
  if (arguments != 2 && arguments != 3) return luaL_error(L, "wrong number of arguments to 'insert'");
  lua_Integer size = lua_Integer(owner->size());
  lua_Integer at = arguments == 3 ? luaL_checkinteger(L, 2) : size + 1;
  luaL_argcheck(L, at >= 1 && at <= size + 1, 2, "position out of bounds");
  if (lua_isnil(L, arguments)) return 0;
  script_charge(L, uint64_t(size - at + 1) / 16 + 1);
  Slot value = values_to_slot(L, arguments, "a value of state");
  vm_of(L)->state.insert(index, size_t(at - 1), value);
  return 0;
}

int table_remove(lua_State *L) {
  Container *owner;
  uint32_t index = state_list(L, &owner);
  if (!owner) return vm_of(L)->table_remove(L);
  lua_Integer size = lua_Integer(owner->size());
  lua_Integer at = luaL_optinteger(L, 2, size);
  if (lua_gettop(L) > 1) luaL_argcheck(L, at >= 1 && at <= size + 1, 2, "position out of bounds");
  if (at < 1 || at > size) return lua_pushnil(L), 1;
  values_push_copy(L, owner->item(size_t(at - 1)));
  script_charge(L, uint64_t(size - at) / 16 + 1);
  vm_of(L)->state.remove(index, size_t(at - 1));
  return 1;
}

// --- Numbers

int base_num(lua_State *L) {
  const int type = lua_type(L, 1);
  if (type == LUA_TNUMBER) {
    lua_pushnumber(L, lua_tonumber(L, 1));
    return 1;
  }
  double number;
  size_t length = 0;
  const char *text = type == LUA_TSTRING ? lua_tolstring(L, 1, &length) : nullptr;
  if (text && length > 256) script_charge(L, length / 16);
  if (text && json_number_text(text, length, &number)) {
    lua_pushnumber(L, number);
    return 1;
  }
  script_vm *vm = vm_of(L);
  const char *field = vm->last_field;
  const char *open = field ? "field '" : "", *close = field ? "': " : "";
  int shown = int(vm->last_field_length < 64 ? vm->last_field_length : 64);
  lua_pushlstring(L, field ? field : "", size_t(field ? shown : 0));
  const char *name = lua_tostring(L, -1);
  if (text) {
    lua_pushlstring(L, text, length < 40 ? length : 40);
    return luaL_error(L, "num: %s%s%sexpected a number or its text, got \"%s\"", open, name, close,
                      lua_tostring(L, -1));
  }
  return luaL_error(L, "num: %s%s%sexpected a number or its text, got %s", open, name, close, type_name(L, 1));
}

uint64_t rotate(uint64_t x, int k) { return x << k | x >> (64 - k); }

uint64_t random_next(Random *random) {
  uint64_t *s = random->words, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

int math_random(lua_State *L) {
  Random *random = &vm_of(L)->random;
  lua_Integer low = 1, high;
  switch (lua_gettop(L)) {
    case 0: lua_pushnumber(L, double(random_next(random) >> 11) * 0x1p-53); return 1;
    case 1:
      high = luaL_checkinteger(L, 1);
      if (high == 0) return lua_pushinteger(L, lua_Integer(random_next(random))), 1;
      break;
    case 2:
      low = luaL_checkinteger(L, 1);
      high = luaL_checkinteger(L, 2);
      break;
    default: return luaL_error(L, "wrong number of arguments");
  }
  luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
  uint64_t range = uint64_t(high) - uint64_t(low), drawn;
  uint64_t mask = range;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  do drawn = random_next(random) & mask;
  while (drawn > range);
  lua_pushinteger(L, lua_Integer(drawn + uint64_t(low)));
  return 1;
}

// --- JSON and time

int json_encode(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  script_vm *vm = vm_of(L);
  vm->out.clear();
  vm->path.clear();
  encode_value(L, 1, vm->limits.nesting);
  lua_pushlstring(L, vm->out.data(), vm->out.size());
  return 1;
}

int json_decode(lua_State *L) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);
  script_vm *vm = vm_of(L);
  script_charge(L, length / 8 + 1);
  script_batch *batch = vm->payload;
  uint32_t index = script_batch_count(batch);
  script_message_info info = {};
  if (!script_batch_append(batch, text, length, info)) return luaL_error(L, "json.decode: text too long");
  script_batch_decode(batch);
  uint32_t offset;
  script_text reason;
  if (script_batch_fault(batch, index, &offset, &reason)) {
    lua_pushlstring(L, reason.bytes, reason.count);
    return luaL_error(L, "json.decode: %s", lua_tostring(L, -1));
  }
  const batch_message &message = batch->messages[index];
  values_push_tree(L, batch->tree.nodes + message.root, batch->text + message.start, 0);
  return 1;
}

int json_array(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_newtable(L);
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm_of(L)->array_ref);
  lua_setmetatable(L, 1);
  return 1;
}

int time_now(lua_State *L) {
  script_vm *vm = vm_of(L);
  if (!vm->info) return luaL_error(L, "time.now: there is no time while a script loads");
  lua_pushinteger(L, vm->info->time);
  return 1;
}

// --- The host's functions

int host_call(lua_State *L) {
  script_vm *vm = vm_of(L);
  const HostFunction &function = vm->functions[size_t(lua_tointeger(L, lua_upvalueindex(1)))];
  if (!(function.phase & (vm->loading ? SCRIPT_PHASE_LOAD : SCRIPT_PHASE_HANDLER)))
    return luaL_error(L, vm->loading ? "%s can only be called in a handler"
                                     : "%s can only be called while the script loads",
                      function.name.c_str());
  if (function.is_effect && !vm->loading) {
    if (vm->effects_left == 0) limits_condemn(L, Condemned::effects);
    vm->effects_left--;
  }
  int bound = lua_isnone(L, lua_upvalueindex(2)) ? 0 : 1;
  int count = lua_gettop(L);
  vm->out.assign("[");
  if (bound) encode_value(L, lua_upvalueindex(2), 1);
  for (int i = 1; i <= count; i++) {
    if (i + bound > 1) vm->out.push_back(',');
    vm->path.assign(function.name).append(": argument ").append(std::to_string(i));
    encode_value(L, i, vm->limits.nesting);
  }
  vm->out.push_back(']');
  script_call call = {vm->message, vm->key, vm->info ? vm->info->time : 0, vm->sequence, false};
  script_text result = {nullptr, 0};
  bool good = vm->host.call(vm->host.context, function.function, call, {vm->out.data(), vm->out.size()}, &result);
  if (!good) {
    lua_pushlstring(L, result.bytes, result.count);
    return luaL_error(L, "%s: %s", function.name.c_str(), lua_tostring(L, -1));
  }
  if (result.count == 0) return 0;
  script_batch *batch = vm->payload;
  uint32_t index = script_batch_count(batch);
  script_message_info info = {};
  script_batch_append(batch, result.bytes, result.count, info);
  if (script_batch_decode(batch) > 0) return luaL_error(L, "%s: the host's answer is not JSON", function.name.c_str());
  const batch_message &message = batch->messages[index];
  values_push_tree(L, batch->tree.nodes + message.root, batch->text + message.start, 0);
  return 1;
}

// The prelude's bind(f, value): the host's function with its first argument given.
int host_bind(lua_State *L) {
  if (lua_tocfunction(L, 1) != host_call) return luaL_error(L, "bind: expected a function of the host");
  lua_settop(L, 2);
  lua_getupvalue(L, 1, 1);
  lua_insert(L, 2);
  lua_pushcclosure(L, host_call, 2);
  return 1;
}

int base_require(lua_State *L) {
  script_vm *vm = vm_of(L);
  const char *name = luaL_checkstring(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm->modules_ref);
  if (lua_getfield(L, -1, name) != LUA_TNIL) {
    if (values_is_null(L, -1)) return luaL_error(L, "module '%s' requires itself", name);
    return 1;
  }
  for (const Module &module : vm->modules) {
    if (module.name != name) continue;
    lua_pushlightuserdata(L, nullptr);
    lua_setfield(L, -3, name);
    lua_pushfstring(L, "@%s.lua", name);
    if (luaL_loadbufferx(L, module.source.data(), module.source.size(), lua_tostring(L, -1), "t") != LUA_OK)
      return lua_error(L);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, 2, name);
    return 1;
  }
  return luaL_error(L, "module '%s' not found: expected a file %s.lua beside this one", name, name);
}

int test_it(lua_State *L) {
  script_vm *vm = vm_of(L);
  if (!vm->loading) return luaL_error(L, "it(…) can't stand inside a test");
  size_t length;
  const char *name = luaL_checklstring(L, 1, &length);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_Debug where;
  uint32_t line = 0;
  if (lua_getstack(L, 1, &where)) {
    lua_getinfo(L, "l", &where);
    line = uint32_t(where.currentline);
  }
  lua_settop(L, 2);
  int reference = luaL_ref(L, LUA_REGISTRYINDEX);
  vm->tests.push_back({std::string(name, length), line, reference});
  return 0;
}

// A name that a configuration's table of constructors doesn't have. Upvalue: the table's own name.
int unknown_constructor(lua_State *L) {
  const char *group = lua_tostring(L, lua_upvalueindex(1));
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  push_keys(L, 1);
  lua_pushliteral(L, "");
  for (lua_Integer i = 1; lua_rawgeti(L, 3, i) != LUA_TNIL; i++) {
    lua_pushstring(L, i > 1 ? ", " : "");
    lua_insert(L, -2);
    lua_concat(L, 3);
  }
  lua_pop(L, 1);
  return luaL_error(L, "there is no %s.%s; there are: %s", group, name, lua_tostring(L, -1));
}

void set_unknown_constructor(lua_State *L, const char *group) {
  lua_createtable(L, 0, 1);
  lua_pushstring(L, group);
  lua_pushcclosure(L, unknown_constructor, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

void set_host_functions(lua_State *L) {
  script_vm *vm = vm_of(L);
  for (size_t i = 0; i < vm->functions.size(); i++) {
    const std::string &name = vm->functions[i].name;
    lua_pushglobaltable(L);
    size_t start = 0;
    for (size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', start)) {
      lua_pushlstring(L, name.data() + start, dot - start);
      if (lua_rawget(L, -2) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        if (vm->profile == SCRIPT_PROFILE_CONFIG) set_unknown_constructor(L, name.substr(0, dot).c_str());
        lua_pushlstring(L, name.data() + start, dot - start);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
      }
      lua_remove(L, -2);
      start = dot + 1;
    }
    lua_pushlstring(L, name.data() + start, name.size() - start);
    lua_pushinteger(L, lua_Integer(i));
    lua_pushcclosure(L, host_call, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
  }
}

}  // namespace

void sandbox_prelude(lua_State *L) {
  const std::string &prelude = vm_of(L)->prelude;
  if (prelude.empty()) return;
  if (luaL_loadbufferx(L, prelude.data(), prelude.size(), "=(host)", "t") != LUA_OK) lua_error(L);
  lua_pushcfunction(L, host_bind);
  lua_call(L, 1, 0);
}

void sandbox_tostring(lua_State *L, int index) {
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
    case LUA_TNIL: lua_pushliteral(L, "nil"); return;
    case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false"); return;
    case LUA_TSTRING: lua_pushvalue(L, index); return;
    case LUA_TNUMBER:
      lua_pushvalue(L, index);
      lua_tolstring(L, -1, nullptr);
      return;
    default: break;
  }
  if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
    if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "'__tostring' must return a string");
    return;
  }
  lua_pushstring(L, type_name(L, index));
}

void sandbox_open(lua_State *L) {
  script_vm *vm = vm_of(L);
  static const luaL_Reg base[] = {
    {"assert", base_assert}, {"error", base_error}, {"getmetatable", base_getmetatable}, {"ipairs", base_ipairs},
    {"num", base_num}, {"pairs", base_pairs}, {"pcall", base_pcall}, {"rawequal", base_rawequal},
    {"rawget", base_rawget}, {"rawlen", base_rawlen}, {"rawset", base_rawset}, {"require", base_require},
    {"select", base_select}, {"setmetatable", base_setmetatable}, {"tonumber", base_tonumber},
    {"tostring", base_tostring}, {"type", base_type}, {"xpcall", base_xpcall}, {nullptr, nullptr}};
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  luaL_setfuncs(L, base, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "_G");
  lua_pushliteral(L, "Lua 5.4");
  lua_setfield(L, -2, "_VERSION");
  lua_createtable(L, 3, 0);
  lua_pushcclosure(L, base_next, 1);
  lua_setfield(L, -2, "next");

  script_open_string(L);
  lua_pushliteral(L, "");
  lua_newtable(L);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
  lua_setfield(L, -2, "string");

  script_open_table(L);
  lua_getfield(L, -1, "insert");
  vm->table_insert = lua_tocfunction(L, -1);
  lua_getfield(L, -2, "remove");
  vm->table_remove = lua_tocfunction(L, -1);
  lua_pop(L, 2);
  lua_pushcfunction(L, table_insert);
  lua_setfield(L, -2, "insert");
  lua_pushcfunction(L, table_remove);
  lua_setfield(L, -2, "remove");
  lua_setfield(L, -2, "table");

  script_open_math(L);
  lua_pushcfunction(L, math_random);
  lua_setfield(L, -2, "random");
  lua_setfield(L, -2, "math");
  script_open_utf8(L);
  lua_setfield(L, -2, "utf8");

  lua_newtable(L);
  vm->array_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  vm->modules_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  static const luaL_Reg json[] = {
    {"array", json_array}, {"decode", json_decode}, {"encode", json_encode}, {nullptr, nullptr}};
  luaL_newlib(L, json);
  lua_pushlightuserdata(L, nullptr);
  lua_setfield(L, -2, "null");
  lua_setfield(L, -2, "json");
  static const luaL_Reg time[] = {{"now", time_now}, {nullptr, nullptr}};
  luaL_newlib(L, time);
  lua_setfield(L, -2, "time");
  if (vm->profile == SCRIPT_PROFILE_TEST) {
    lua_pushcfunction(L, test_it);
    lua_setfield(L, -2, "it");
  }
  lua_pop(L, 1);
  values_open(L);
  rule_open(L);
  set_host_functions(L);
}
