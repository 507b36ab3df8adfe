// require, of text modules that the host has read.

#include "coverage.h"
#include "library.h"
#include "handles.h"
#include "sandbox.h"

namespace {

int base_require(lua_State *L) {
  script_vm *vm = vm_of(L);
  const char *name = script_check_text(L, 1, nullptr);
  lua_settop(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm->modules_ref);
  if (lua_getfield(L, -1, name) != LUA_TNIL) {
    if (null_at(L, -1)) return luaL_error(L, "module '%s' requires itself", name);
    return 1;
  }
  for (const Module &module : vm->modules) {
    if (module.name != name) continue;
    if (("\n" + vm->required).find("\n" + module.name + "\n") == std::string::npos)
      vm->required.append(module.name).push_back('\n');
    // Each time, where it has a fault: nothing is kept of it then.
    script_charge(L, module.source.size() / 16);
    lua_pushfstring(L, "@%s.lua", luaL_gsub(L, name, ".", "/"));
    if (luaL_loadbufferx(L, module.source.data(), module.source.size(), lua_tostring(L, -1), "t") != LUA_OK)
      return lua_error(L);
    coverage_chunk(L);
    num_look_at_chunk(L);
    lua_pushlightuserdata(L, nullptr);
    lua_setfield(L, 2, name);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, 2, name);
    return 1;
  }
  return luaL_error(L, "module '%s' not found: expected a file %s.lua in the script's folder", name,
                    luaL_gsub(L, name, ".", "/"));
}

}  // namespace

script_text script_vm_required(const script_vm *vm) { return {vm->required.data(), vm->required.size()}; }

void modules_open(lua_State *L) {
  lua_newtable(L);
  vm_of(L)->modules_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_pushcfunction(L, base_require);
  lua_setfield(L, -2, "require");
}
