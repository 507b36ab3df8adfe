// Lists of state through the table library, without a journal entry for each moved item.

#include "library.h"
#include "handles.h"
#include "sandbox.h"
#include "slots.h"

namespace {

uint32_t state_list(lua_State *L, Container **owner) {
  Handle *handle = handle_at(L, 1);
  uint32_t index = 0;
  *owner = nullptr;
  if (!handle || !handle->writable) return 0;
  *owner = container_at(L, handle, &index);
  return index;
}

int table_insert(lua_State *L) {
  Container *owner;
  uint32_t index = state_list(L, &owner);
  if (!owner) return vm_of(L)->table_insert(L);
  int arguments = lua_gettop(L);
  if (arguments != 2 && arguments != 3) return luaL_error(L, "wrong number of arguments to 'insert'");
  lua_Integer size = lua_Integer(owner->size());
  lua_Integer at = arguments == 3 ? script_check_integer(L, 2) : size + 1;
  luaL_argcheck(L, at >= 1 && at <= size + 1, 2, "position out of bounds");
  if (lua_isnil(L, arguments)) return 0;
  script_charge(L, uint64_t(size - at + 1) / 16 + 1);
  Slot value = slot_take(L, arguments, "a value of state");
  vm_of(L)->state.insert(index, size_t(at - 1), value);
  return 0;
}

int table_remove(lua_State *L) {
  Container *owner;
  uint32_t index = state_list(L, &owner);
  if (!owner) return vm_of(L)->table_remove(L);
  lua_Integer size = lua_Integer(owner->size());
  lua_Integer at = script_optional_integer(L, 2, size);
  if (lua_gettop(L) > 1) luaL_argcheck(L, at >= 1 && at <= size + 1, 2, "position out of bounds");
  if (at < 1 || at > size) return lua_pushnil(L), 1;
  slot_push_copy(L, owner->item(size_t(at - 1)));
  script_charge(L, uint64_t(size - at) / 16 + 1);
  vm_of(L)->state.remove(index, size_t(at - 1));
  return 1;
}

}  // namespace

void state_lists_open(lua_State *L) {
  script_vm *vm = vm_of(L);
  lua_getfield(L, -1, "insert");
  vm->table_insert = lua_tocfunction(L, -1);
  lua_getfield(L, -2, "remove");
  vm->table_remove = lua_tocfunction(L, -1);
  lua_pop(L, 2);
  lua_pushcfunction(L, table_insert);
  lua_setfield(L, -2, "insert");
  lua_pushcfunction(L, table_remove);
  lua_setfield(L, -2, "remove");
}
