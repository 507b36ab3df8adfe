#include "LuaReference.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

static int run(lua_State *L) {
  size_t length = (size_t)lua_tointeger(L, 2);
  const char *source = lua_touserdata(L, 1);
  luaL_openlibs(L);
  if (luaL_loadbufferx(L, source, length, "=cases", "t") != LUA_OK) return lua_error(L);
  lua_call(L, 0, 1);
  lua_getfield(L, -1, "cases");
  int cases = lua_gettop(L);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (lua_Integer i = 1; lua_rawgeti(L, cases, i) != LUA_TNIL; i++) {
    luaL_addvalue(&b);
    luaL_addchar(&b, '\n');
  }
  lua_pop(L, 1);
  luaL_pushresult(&b);
  return 1;
}

char *lua_reference_cases(const char *source, size_t length) {
  lua_State *L = luaL_newstate();
  if (!L) return strdup("no memory");
  lua_pushcfunction(L, run);
  lua_pushlightuserdata(L, (void *)source);
  lua_pushinteger(L, (lua_Integer)length);
  lua_pcall(L, 2, 1, 0);
  const char *text = lua_tostring(L, -1);
  char *copy = strdup(text ? text : "an error that is no text");
  lua_close(L);
  return copy;
}
