// The basic functions, from an allow-list: errors, types, raw access and metatables.

#include "library.h"
#include "handles.h"
#include "sandbox.h"
#include "view.h"

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
  script_check_type(L, 2, LUA_TFUNCTION);
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
  int level = int(script_optional_integer(L, 2, 1));
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

int base_type(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushstring(L, script_type_name(L, 1));
  return 1;
}

int base_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  script_push_text(L, 1, nullptr);
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
  lua_Integer base = script_check_integer(L, 2);
  script_check_type(L, 1, LUA_TSTRING);
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
  lua_Integer n = script_check_integer(L, 1);
  if (n < 0) n = count + n;
  else if (n > count) n = count;
  luaL_argcheck(L, n >= 1, 1, "index out of range");
  return count - int(n);
}

// --- Raw access and metatables

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
  if (lua_type(L, 1) == LUA_TTABLE && !view_is_state(L, 1)) lua_rawset(L, 1);
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
  if (!script_is_table(L, 1)) return script_type_error(L, 1, "table or string");
  lua_pushinteger(L, script_length(L, 1));
  return 1;
}

int base_getmetatable(lua_State *L) {
  luaL_checkany(L, 1);
  if (null_at(L, 1) || !lua_getmetatable(L, 1)) return luaL_pushfail(L), 1;
  lua_pushliteral(L, "__metatable");
  if (lua_rawget(L, -2) == LUA_TNIL) lua_pop(L, 1);
  return 1;
}

int base_setmetatable(lua_State *L) {
  script_check_type(L, 1, LUA_TTABLE);
  if (!lua_isnil(L, 2) && !lua_istable(L, 2)) return script_type_error(L, 2, "nil or table");
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

}  // namespace

void base_open(lua_State *L) {
  static const luaL_Reg base[] = {
    {"assert", base_assert}, {"error", base_error}, {"getmetatable", base_getmetatable}, {"pcall", base_pcall},
    {"rawequal", base_rawequal}, {"rawget", base_rawget}, {"rawlen", base_rawlen}, {"rawset", base_rawset},
    {"select", base_select}, {"setmetatable", base_setmetatable}, {"tonumber", base_tonumber},
    {"tostring", base_tostring}, {"type", base_type}, {"xpcall", base_xpcall}, {nullptr, nullptr}};
  luaL_setfuncs(L, base, 0);
}
