// Lists and maps of state as scripts see them. They are the host's; a script reads and writes through the handle.

#include "handles.h"
#include "slots.h"

#include <cmath>

namespace {

// A key of a map from a Lua value, or the fault's text for what can't be one. The caller destroys the key before
// anything can raise.
const char *map_key(lua_State *L, int index, MapKey *key) {
  switch (lua_type(L, index)) {
    case LUA_TSTRING: {
      size_t length;
      const char *text = lua_tolstring(L, index, &length);
      if (!json_valid_utf8(text, length)) return "a key of state must be valid UTF-8";
      key->rank = 3;
      key->text.assign(text, length);
      return nullptr;
    }
    case LUA_TBOOLEAN:
      key->rank = 2;
      key->integer = lua_toboolean(L, index);
      return nullptr;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        key->integer = lua_tointeger(L, index);
      } else {
        lua_Number number = lua_tonumber(L, index);
        if (!std::isfinite(number)) return "nan and infinity can't be keys of state";
        lua_Integer whole;
        if (lua_numbertointeger(number, &whole) && lua_Number(whole) == number) {
          key->integer = whole;
        } else {
          key->rank = 1;
          key->number = number;
        }
      }
      return nullptr;
    default: return "keys of state must be numbers, booleans or text";
  }
}

// The slot under a Lua key, nullptr for none. Raises nothing.
const Slot *find_slot(lua_State *L, const Container &owner, int index) {
  if (lua_isinteger(L, index)) {
    lua_Integer n = lua_tointeger(L, index);
    if (n >= 1 && n <= lua_Integer(owner.size())) return &owner.item(size_t(n - 1));
  }
  if (owner.map.empty()) return nullptr;
  MapKey key;
  if (map_key(L, index, &key)) return nullptr;
  auto found = owner.map.find(key);
  return found == owner.map.end() ? nullptr : &found->second;
}

int container_index(lua_State *L) {
  auto handle = static_cast<Handle *>(lua_touserdata(L, 1));
  uint32_t index;
  const Container *owner = container_at(L, handle, &index);
  const Slot *slot = find_slot(L, *owner, 2);
  if (!slot) return 0;
  slot_push(L, *slot, handle->writable);
  return 1;
}

int container_newindex(lua_State *L) {
  auto handle = static_cast<Handle *>(lua_touserdata(L, 1));
  uint32_t index;
  Container *owner = container_at(L, handle, &index);
  if (!handle->writable) return luaL_error(L, "this state can only be read here");
  // Breaking a list in the middle moves all that follows.
  if (lua_isnil(L, 3) && lua_isinteger(L, 2)) {
    lua_Integer n = lua_tointeger(L, 2), size = lua_Integer(owner->size());
    if (n >= 1 && n < size) script_charge(L, uint64_t(size - n));
  }
  Slot value = slot_take(L, 3, "a value of state");
  const char *fault = container_store(L, index, 2, value);
  if (fault) return luaL_error(L, "%s", fault);
  return 0;
}

int container_length(lua_State *L) {
  auto handle = static_cast<Handle *>(lua_touserdata(L, 1));
  uint32_t index;
  lua_pushinteger(L, lua_Integer(container_at(L, handle, &index)->size()));
  return 1;
}

}  // namespace

void containers_open(lua_State *L) {
  static const luaL_Reg container[] = {{"__index", container_index}, {"__newindex", container_newindex},
                                       {"__len", container_length}, {"__eq", handle_equal}, {nullptr, nullptr}};
  handle_metatable(L, HandleKind::container, container);
  handle_metatable(L, HandleKind::field, container);
}

Container *container_at(lua_State *L, const Handle *handle, uint32_t *index) {
  script_vm *vm = vm_of(L);
  if (handle && handle->kind == HandleKind::field) {
    const Slot &slot = vm->state.key(vm->key).slots[handle->index];
    if (slot.kind != SlotKind::container)
      luaL_error(L, "this part of state was replaced; read it from state again");
    *index = slot.container;
    return &vm->state.container(slot.container);
  }
  if (!handle || handle->kind != HandleKind::container) return nullptr;
  if (!vm->state.valid(handle->index, handle->generation))
    luaL_error(L, "this part of state was removed; read it from state again");
  if (handle->writable && vm->state.container(handle->index).owner != vm->key)
    luaL_error(L, "this part of state belongs to another key");
  *index = handle->index;
  return &vm->state.container(handle->index);
}

const char *container_store(lua_State *L, uint32_t container, int key_index, Slot value) {
  script_vm *vm = vm_of(L);
  if (lua_isinteger(L, key_index)) {
    vm->state.set_integer(container, lua_tointeger(L, key_index), value);
    return nullptr;
  }
  MapKey key;
  const char *fault = map_key(L, key_index, &key);
  if (fault)
    vm->state.release(&value, vm->key);
  else if (key.rank == 0)
    vm->state.set_integer(container, key.integer, value);
  else
    vm->state.set_member(container, key, value);
  return fault;
}
