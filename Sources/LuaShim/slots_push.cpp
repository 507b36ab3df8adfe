// Values of state, pushed for a script.

#include "handles.h"
#include "slots.h"

void slot_push(lua_State *L, const Slot &slot, bool writable) {
  switch (slot.kind) {
    case SlotKind::absent: lua_pushnil(L); break;
    case SlotKind::null: lua_pushlightuserdata(L, nullptr); break;
    case SlotKind::no: lua_pushboolean(L, 0); break;
    case SlotKind::yes: lua_pushboolean(L, 1); break;
    case SlotKind::integer: lua_pushinteger(L, slot.integer); break;
    case SlotKind::number: lua_pushnumber(L, slot.number); break;
    case SlotKind::text: lua_pushlstring(L, slot.text->bytes, slot.text->count); break;
    case SlotKind::statistic:
      handle_push(L, HandleKind::statistic_view, slot.statistic, vm_of(L)->generation, false);
      break;
    case SlotKind::container:
      handle_push(L, HandleKind::container, slot.container, vm_of(L)->state.container(slot.container).generation,
                 writable);
      break;
  }
}

void slot_push_key(lua_State *L, const MapKey &key) {
  switch (key.rank) {
    case 0: lua_pushinteger(L, key.integer); break;
    case 1: lua_pushnumber(L, key.number); break;
    case 2: lua_pushboolean(L, int(key.integer)); break;
    default: lua_pushlstring(L, key.text.data(), key.text.size());
  }
}

void slot_push_copy(lua_State *L, const Slot &slot) {
  if (slot.kind != SlotKind::container) {
    slot_push(L, slot, false);
    return;
  }
  luaL_checkstack(L, 6, "nested too deep");
  script_vm *vm = vm_of(L);
  const Container &owner = vm->state.container(slot.container);
  script_charge(L, owner.size() + owner.map.size() + 1);
  lua_createtable(L, int(owner.size()), int(owner.map.size()));
  if (owner.tagged_list) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, vm->array_ref);
    lua_setmetatable(L, -2);
  }
  for (size_t i = 0; i < owner.size(); i++) {
    slot_push_copy(L, owner.item(i));
    lua_rawseti(L, -2, lua_Integer(i + 1));
  }
  for (auto member = owner.map.begin(); member != owner.map.end(); ++member) {
    slot_push_key(L, member->first);
    slot_push_copy(L, member->second);
    lua_rawset(L, -3);
  }
}

void slot_push_field(lua_State *L, uint32_t key, uint32_t field) {
  script_vm *vm = vm_of(L);
  const Slot &slot = vm->state.key(key).slots[field];
  if (slot.kind < SlotKind::container) {
    slot_push(L, slot, true);
    return;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm->field_refs[field]);
}
