// json.encode, json.decode, json.array and json.null.

#include "library.h"
#include "encode.h"
#include "sandbox.h"
#include "slots.h"

namespace {

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
  const char *text = script_check_text(L, 1, &length);
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
  table_push_json(L, batch->tree.nodes + message.root, batch->text + message.start, 0);
  return 1;
}

int json_array(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_newtable(L);
  }
  script_check_type(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm_of(L)->array_ref);
  lua_setmetatable(L, 1);
  return 1;
}

}  // namespace

void json_open(lua_State *L) {
  lua_newtable(L);
  vm_of(L)->array_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  static const luaL_Reg json[] = {
    {"array", json_array}, {"decode", json_decode}, {"encode", json_encode}, {nullptr, nullptr}};
  luaL_newlib(L, json);
  lua_pushlightuserdata(L, nullptr);
  lua_setfield(L, -2, "null");
  lua_setfield(L, -2, "json");
}
