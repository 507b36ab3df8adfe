// The functions that the host registered, under their dotted names.

#include "encode.h"
#include "handler_limits.h"
#include "rehearsal.h"
#include "sandbox.h"
#include "slots.h"

namespace {

int host_call(lua_State *L) {
  script_vm *vm = vm_of(L);
  const HostFunction &function = vm->functions[size_t(lua_tointeger(L, lua_upvalueindex(1)))];
  if (!(function.phase & (vm->loading ? SCRIPT_PHASE_LOAD : SCRIPT_PHASE_HANDLER)))
    return luaL_error(L, vm->loading ? "%s can only be called in a handler"
                                     : "%s can only be called while the script loads",
                      function.name.c_str());
  if (function.is_effect && function.phase != SCRIPT_PHASE_ANY && vm->migrating)
    return luaL_error(L, "%s can't be called in M.migrate, which only turns state into state", function.name.c_str());
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
  if (vm->twice) rehearsal_note(vm, function.name.c_str(), vm->out);
  const script_call call = vm_call(vm);
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
  table_push_json(L, batch->tree.nodes + message.root, batch->text + message.start, 0);
  return 1;
}

// A name that a configuration's table of constructors doesn't have. Upvalue: the table's own name.
int unknown_constructor(lua_State *L) {
  const char *group = lua_tostring(L, lua_upvalueindex(1));
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  keys_push(L, 1);
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

}  // namespace

void host_functions_open(lua_State *L) {
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

int host_function_bind(lua_State *L) {
  if (lua_tocfunction(L, 1) != host_call) return luaL_error(L, "bind: expected a function of the host");
  lua_settop(L, 2);
  lua_getupvalue(L, 1, 1);
  lua_insert(L, 2);
  lua_pushcclosure(L, host_call, 2);
  return 1;
}
