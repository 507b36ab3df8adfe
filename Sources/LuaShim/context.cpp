// `ctx`, and the time that it shows.

#include "handles.h"

namespace {

int context_index(lua_State *L) {
  script_vm *vm = vm_of(L);
  size_t length = 0;
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &length) : "";
  auto is = [&](const char *field) { return std::strcmp(name, field) == 0; };
  const script_message_info *info = vm->info;
  if (is("key")) {
    const std::string &key = vm->state.key(vm->key).name;
    lua_pushlstring(L, key.data(), key.size());
  } else if (is("time")) {
    lua_pushinteger(L, info ? info->time : 0);
  } else if (is("received")) {
    lua_pushinteger(L, info ? info->received : 0);
  } else if (is("source")) {
    lua_pushlstring(L, vm->source.data(), vm->source.size());
  } else if (is("topic")) {
    script_text own = {nullptr, 0};
    if (vm->batch) own = script_batch_topic(vm->batch, vm->message);
    if (own.count) lua_pushlstring(L, own.bytes, own.count);
    else lua_pushlstring(L, vm->topic.data(), vm->topic.size());
  } else if (is("epoch")) {
    lua_pushinteger(L, info ? info->epoch : 0);
  } else if (is("replayed")) {
    lua_pushboolean(L, info && info->replayed);
  } else if (is("late")) {
    lua_pushboolean(L, vm->late || (info && info->late));
  } else if (is("sequence")) {
    if (info && info->numbered) lua_pushinteger(L, info->sequence);
    else lua_pushnil(L);
  } else {
    return luaL_error(
      L, "ctx has no field '%s'; it has time, received, late, source, topic, key, sequence, epoch, replayed", name);
  }
  return 1;
}

}  // namespace

void context_open(lua_State *L) {
  static const luaL_Reg context[] = {{"__index", context_index}, {"__newindex", handle_read_only}, {nullptr, nullptr}};
  handle_metatable(L, HandleKind::context, context);
  handle_push(L, HandleKind::context, 0, 0, 0);
  vm_of(L)->context_ref = luaL_ref(L, LUA_REGISTRYINDEX);
}

int context_time_now(lua_State *L) {
  script_vm *vm = vm_of(L);
  if (!vm->info) return luaL_error(L, "time.now: there is no time while a script loads");
  lua_pushinteger(L, vm->info->time);
  return 1;
}

void script_vm_set_late(script_vm *vm, bool late) { vm->late = late; }
