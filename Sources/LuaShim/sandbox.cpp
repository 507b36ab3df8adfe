// The environment of a script, from an allow-list. Nothing here reaches files, time, other states or addresses.

#include "sandbox.h"

#include "handles.h"
#include "rules.h"

void sandbox_prelude(lua_State *L) {
  const std::string &prelude = vm_of(L)->prelude;
  if (prelude.empty()) return;
  if (luaL_loadbufferx(L, prelude.data(), prelude.size(), "=(host)", "t") != LUA_OK) lua_error(L);
  lua_pushcfunction(L, host_function_bind);
  lua_call(L, 1, 0);
}

void sandbox_open(lua_State *L) {
  script_vm *vm = vm_of(L);
  // With room for all of them, the names that come first are found at once. What handlers call most comes first.
  lua_createtable(L, 0, 64);
  static const char *const usual[] = {"num", "math", "string", "json", "ipairs", "pairs", "table"};
  for (const char *name : usual) {
    lua_pushboolean(L, true);
    lua_setfield(L, -2, name);
  }
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "_G");
  lua_pushliteral(L, "Lua 5.4");
  lua_setfield(L, -2, "_VERSION");
  base_open(L);
  iteration_open(L);
  num_open(L);
  modules_open(L);
  json_open(L);
  base64_open(L);

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
  state_lists_open(L);
  lua_setfield(L, -2, "table");

  script_open_math(L);
  random_open(L);
  lua_setfield(L, -2, "math");
  script_open_utf8(L);
  lua_setfield(L, -2, "utf8");

  static const luaL_Reg time[] = {{"now", context_time_now}, {nullptr, nullptr}};
  luaL_newlib(L, time);
  lua_setfield(L, -2, "time");
  if (vm->profile == SCRIPT_PROFILE_TEST) test_cases_open(L);
  lua_pop(L, 1);
  handles_open(L);
  rules_open(L);
  host_functions_open(L);
}
