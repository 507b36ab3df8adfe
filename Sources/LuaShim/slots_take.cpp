// Values of a script, taken over into state: checked and copied, so that nothing of the VM remains in them.

#include "handles.h"
#include "sandbox.h"
#include "slots.h"

#include <cmath>

void state_check_size(lua_State *L, size_t extra) {
  script_vm *vm = vm_of(L);
  if (vm->loading || !vm->state.over_limit(vm->key, extra)) return;
  const KeyState &key = vm->state.key(vm->key);
  if (key.bytes + extra > vm->state.key_limit)
    luaL_error(L, "the state of key '%s' would exceed %I bytes; the limit is 'state_size'", key.name.c_str(),
               (LUAI_UACINT)vm->limits.state_size);
  luaL_error(L, "the state of all keys would exceed %I bytes; the limit is 'total_state_size'",
             (LUAI_UACINT)vm->limits.total_state);
}

namespace {

// Whose state a new value counts to: nobody's while defaults are declared.
uint32_t owner_of(const script_vm *vm) { return vm->loading ? StateStore::no_key : vm->key; }

struct Copying {
  script_vm *vm;
  const char *path;
  uint32_t depth;
};

Slot copy_in(lua_State *L, int index, Copying *copying);

Slot copy_table(lua_State *L, int index, Copying *copying) {
  script_vm *vm = copying->vm;
  if (++copying->depth > vm->limits.nesting || !lua_checkstack(L, 8))
    luaL_error(L, "%s: nested deeper than %d tables (or a table inside itself)", copying->path,
               int(vm->limits.nesting));
  uint32_t made = vm->state.make_container(owner_of(vm));
  if (lua_getmetatable(L, index)) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, vm->array_ref);
    if (lua_rawequal(L, -1, -2)) vm->state.container(made).tagged_list = true;
    lua_pop(L, 2);
  }
  lua_Integer size = lua_Integer(lua_rawlen(L, index));
  for (lua_Integer i = 1; i <= size; i++) {
    lua_rawgeti(L, index, i);
    Slot item = copy_in(L, lua_gettop(L), copying);
    if (item.kind == SlotKind::absent) luaL_error(L, "%s: a hole at [%I]", copying->path, (LUAI_UACINT)i);
    vm->state.push(made, item);
    lua_pop(L, 1);
  }
  lua_pushnil(L);
  while (lua_next(L, index)) {
    int key = lua_gettop(L) - 1;
    bool listed = lua_isinteger(L, key) && lua_tointeger(L, key) >= 1 && lua_tointeger(L, key) <= size;
    if (!listed) {
      Slot item = copy_in(L, key + 1, copying);
      const char *fault = container_store(L, made, key, item);
      if (fault) luaL_error(L, "%s: %s", copying->path, fault);
    }
    lua_pop(L, 1);
  }
  copying->depth--;
  Slot slot;
  slot.kind = SlotKind::container;
  slot.container = made;
  return slot;
}

Slot copy_in(lua_State *L, int index, Copying *copying) {
  script_vm *vm = copying->vm;
  Slot slot;
  // All that can raise comes before the host holds a text: the caller stores it without another check.
  script_charge(L, 1);
  state_check_size(L, 2 * sizeof(MapKey));
  switch (lua_type(L, index)) {
    case LUA_TNIL: break;
    case LUA_TBOOLEAN: slot.kind = lua_toboolean(L, index) ? SlotKind::yes : SlotKind::no; break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        slot.kind = SlotKind::integer;
        slot.integer = lua_tointeger(L, index);
      } else {
        slot.kind = SlotKind::number;
        slot.number = lua_tonumber(L, index);
        if (!std::isfinite(slot.number))
          luaL_error(L, "%s: state can't hold %s", copying->path, std::isnan(slot.number) ? "nan" : "infinity");
      }
      break;
    case LUA_TSTRING: {
      size_t length;
      const char *text = lua_tolstring(L, index, &length);
      state_check_size(L, length + 2 * sizeof(MapKey));
      if (length > 256) script_charge(L, length / 64);
      if (!json_valid_utf8(text, length)) luaL_error(L, "%s: the text is not valid UTF-8", copying->path);
      vm->state.set_text(&slot, text, length, owner_of(vm));
      break;
    }
    case LUA_TLIGHTUSERDATA: {
      const MessageHandle handle = message_at(L, index);
      if (!handle) {
        slot.kind = SlotKind::null;
        break;
      }
      const uint32_t nodes = message_node(L, handle)->next - handle.node;
      script_charge(L, nodes);
      state_check_size(L, size_t(nodes) * sizeof(Slot));
      slot_from_json(vm, vm->root, vm->text, handle.node, owner_of(vm), &slot);
      break;
    }
    case LUA_TTABLE: return copy_table(L, index, copying);
    case LUA_TUSERDATA: {
      Handle *handle = handle_at(L, index);
      uint32_t container;
      if (statistic_is(handle))
        luaL_error(L, "%s: a statistic stands in M.state itself (M.state = { mean = stats.sma { … } }); stats.value "
                      "gives its value", copying->path);
      if (container_at(L, handle, &container)) {
        state_check_size(L, 0);
        slot.kind = SlotKind::container;
        slot.container = vm->state.clone(container, owner_of(vm));
        break;
      }
    }
      [[fallthrough]];
    default: luaL_error(L, "%s: state can't hold a %s", copying->path,
                        script_type_name(L, index));
  }
  return slot;
}

}  // namespace

Slot slot_take(lua_State *L, int index, const char *path) {
  Copying copying = {vm_of(L), path, 0};
  return copy_in(L, lua_absindex(L, index), &copying);
}
