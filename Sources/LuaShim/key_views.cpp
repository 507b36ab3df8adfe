// Views of other keys' state, from each_key: read only, and valid during the call.

#include "handles.h"
#include "slots.h"

namespace {

int key_view_index(lua_State *L) {
  auto handle = static_cast<Handle *>(lua_touserdata(L, 1));
  script_vm *vm = vm_of(L);
  if (handle->generation != vm->generation)
    return luaL_error(L, "this view of a key's state belongs to an earlier call");
  size_t length = 0;
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &length) : "";
  int field = vm->state.field(name, length);
  if (field < 0) return luaL_error(L, "state has no field '%s'", name);
  const Slot &slot = vm->state.key(handle->index).slots[field];
  slot_push(L, slot, false);
  return 1;
}

int each_key_next(lua_State *L) {
  script_vm *vm = vm_of(L);
  lua_Integer next = lua_tointeger(L, lua_upvalueindex(1));
  if (next >= lua_Integer(vm->state.count())) return 0;
  script_charge(L, 1);
  lua_pushinteger(L, next + 1);
  lua_replace(L, lua_upvalueindex(1));
  const std::string &name = vm->state.key(uint32_t(next)).name;
  lua_pushlstring(L, name.data(), name.size());
  handle_push(L, HandleKind::key_view, uint32_t(next), vm->generation, 0);
  return 2;
}

int each_key(lua_State *L) {
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, each_key_next, 1);
  return 1;
}

}  // namespace

void key_views_open(lua_State *L) {
  static const luaL_Reg view[] = {{"__index", key_view_index}, {"__newindex", handle_read_only}, {nullptr, nullptr}};
  handle_metatable(L, HandleKind::key_view, view);
  lua_pushcfunction(L, each_key);
  lua_setglobal(L, "each_key");
}
