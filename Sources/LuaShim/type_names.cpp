// What scripts call the types, json.null and the host's handles among them.

#include "handles.h"

const char *script_type_name(lua_State *L, int index) {
  if (lua_type(L, index) == LUA_TLIGHTUSERDATA) return null_at(L, index) ? "null" : "table";
  Handle *handle = handle_at(L, index);
  if (!handle) return luaL_typename(L, index);
  if (statistic_is(handle)) return "statistic";
  return handle->kind == HandleKind::rule ? "rule" : "table";
}

int script_type_error(lua_State *L, int argument, const char *expected) {
  return luaL_argerror(L, argument, lua_pushfstring(L, "%s expected, got %s", expected, script_type_name(L, argument)));
}

void script_check_type(lua_State *L, int argument, int type) {
  if (lua_type(L, argument) != type) script_type_error(L, argument, lua_typename(L, type));
}
