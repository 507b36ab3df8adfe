// The `math` library: liblua's own functions without the random ones, which the VM adds, seeded by the host.

#include "library.h"

#include <string.h>

// Calls liblua's function in place, so that its messages name ours.
static int call_stock(lua_State *L) {
  int top = lua_gettop(L);
  for (int i = 1; i <= top; i++) script_charge_numeral(L, i);
  if (top > 16) script_charge(L, (uint64_t)top);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// The same for a function that answers for any value, also for json.null.
static int call_any(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) script_charge_bytes(L, lua_rawlen(L, 1));
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// The largest or the smallest of some numbers, chosen by the VM's own comparison. What is none is left to liblua's.
static int extreme(lua_State *L, bool largest) {
  const int count = lua_gettop(L);
  int best = 1;
  if (count < 1 || count > 16) return call_stock(L);
  for (int i = 1; i <= count; i++) {
    if (lua_type(L, i) != LUA_TNUMBER) return call_stock(L);
    if (i > 1 && lua_compare(L, largest ? best : i, largest ? i : best, LUA_OPLT)) best = i;
  }
  if (best != count) lua_pushvalue(L, best);
  return 1;
}

static int math_max(lua_State *L) { return extreme(L, true); }
static int math_min(lua_State *L) { return extreme(L, false); }

void script_open_math(lua_State *L) {
  static const char *const functions[] = {
      "max", "min", "abs", "floor", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "fmod", "log",
      "modf", "rad", "sin", "sqrt", "tan", "tointeger", "type", "ult",
  };
  static const char *const constants[] = {"huge", "maxinteger", "mininteger", "pi"};
  const size_t function_count = sizeof functions / sizeof *functions;
  const size_t constant_count = sizeof constants / sizeof *constants;
  lua_createtable(L, 0, (int)(function_count + constant_count));
  luaopen_math(L);
  for (size_t i = 0; i < function_count; i++) {
    lua_getfield(L, -1, functions[i]);
    const bool is_max = strcmp(functions[i], "max") == 0, is_min = strcmp(functions[i], "min") == 0;
    const bool takes_any = strcmp(functions[i], "type") == 0 || strcmp(functions[i], "tointeger") == 0;
    lua_pushcclosure(L, is_max ? math_max : is_min ? math_min : takes_any ? call_any : call_stock, 1);
    lua_setfield(L, -3, functions[i]);
  }
  for (size_t i = 0; i < constant_count; i++) {
    lua_getfield(L, -1, constants[i]);
    lua_setfield(L, -3, constants[i]);
  }
  lua_pop(L, 1);
}
