// One face for plain tables and for the handles that stand for a list or a map; see vm.h.

#include "handles.h"
#include "slots.h"
#include "view.h"

bool script_is_table(lua_State *L, int index) {
  if (lua_type(L, index) == LUA_TTABLE) return true;
  if (message_at(L, index)) return true;
  Handle *handle = handle_at(L, index);
  return handle && (handle->kind == HandleKind::container || handle->kind == HandleKind::field);
}

void script_check_table(lua_State *L, int argument) {
  if (!script_is_table(L, argument)) script_type_error(L, argument, "table");
}

lua_Integer script_length(lua_State *L, int index) {
  if (const MessageHandle message = message_at(L, index)) {
    const json_node *node = message_node(L, message);
    return node->type == JSON_ARRAY ? node->length : 0;
  }
  Handle *handle = handle_at(L, index);
  if (!handle) return lua_Integer(lua_rawlen(L, index));
  uint32_t container;
  Container *owner = container_at(L, handle, &container);
  return owner ? lua_Integer(owner->size()) : 0;
}

void script_get_item(lua_State *L, int index, lua_Integer n) {
  if (const MessageHandle message = message_at(L, index)) {
    const json_node *node = message_node(L, message);
    if (n > 64) script_charge(L, uint64_t(n) / 4);
    uint32_t found = node->type == JSON_ARRAY ? message_item(vm_of(L)->root, message.node, n) : 0;
    if (found)
      message_push(L, found);
    else
      lua_pushnil(L);
    return;
  }
  Handle *handle = handle_at(L, index);
  if (!handle) {
    if (lua_type(L, index) != LUA_TTABLE) luaL_error(L, "a %s has no items", script_type_name(L, index));
    lua_rawgeti(L, index, n);
    return;
  }
  uint32_t container;
  Container *owner = container_at(L, handle, &container);
  if (owner && n >= 1 && n <= lua_Integer(owner->size()))
    slot_push(L, owner->item(size_t(n - 1)), handle->writable);
  else
    lua_pushnil(L);
}

void script_set_item(lua_State *L, int index, lua_Integer n) {
  if (message_at(L, index)) handle_read_only(L);
  Handle *handle = handle_at(L, index);
  if (!handle) {
    if (lua_type(L, index) != LUA_TTABLE) luaL_error(L, "a %s has no items", script_type_name(L, index));
    if (view_is_state(L, index)) luaL_error(L, "state itself is no list; declare a field = {} for one");
    lua_rawseti(L, index, n);
    return;
  }
  uint32_t container;
  if (!container_at(L, handle, &container)) luaL_error(L, "a %s has no items", script_type_name(L, index));
  if (!handle->writable) luaL_error(L, "this state can only be read here");
  Slot value = slot_take(L, -1, "a value of state");
  vm_of(L)->state.set_integer(container, n, value);
  lua_pop(L, 1);
}
